/* Pictures: how they are asked for, and how they are shown. */

const PICTURE = 'image/svg+xml';
const PAGING = ['query.page', 'query.pageSize'];

/** Whether a picture is asked for: by the format, which has precedence, or by the media type. */
function isOfPicture(parameters, defaults, mediaType) {
  const format = parameters['query.format'];
  const isChosen = format !== undefined && format !== '' && format !== defaults.get('query.format');
  return isChosen ? format === 'svg' : mediaType === PICTURE;
}

/** The request without what Swagger UI has filled in, if it asks for a picture, which has no pages and no other format. @param mediaType that is accepted */
export function withoutPaging(request, mediaType) {
  const { operation, parameters } = request;
  const defaults = new Map(
    (operation.get('parameters') ?? []).map((parameter) => [
      `query.${parameter.get('name')}`,
      String(parameter.getIn(['schema', 'default'])),
    ]),
  );
  if (!isOfPicture(parameters, defaults, mediaType)) return request;
  const given = Object.entries(parameters).filter(
    ([name, value]) => !PAGING.includes(name) && defaults.get(name) !== String(value),
  );
  return { ...request, parameters: Object.fromEntries(given) };
}

/** A picture as such, with a link that opens it, and not as its text. */
export const showPicture = (Original, { React }) =>
  function ResponseBody(props) {
    const { content, contentType = '' } = props;
    const isPicture = contentType.startsWith(PICTURE) && typeof content === 'string';
    return React.createElement(isPicture ? Picture : Original, { React, ...props });
  };

/**
 * The link opens what was answered, as a request of the browser's own would carry neither a token nor the media type. It opens it
 * in a page, because the content security policy, which is that of this page, would refuse the styles of a picture by itself.
 */
function Picture({ React, content }) {
  const h = React.createElement;
  const source = `data:${PICTURE},${encodeURIComponent(content)}`;
  const [address, setAddress] = React.useState();
  React.useEffect(() => {
    const page = `<!doctype html><title>Picture</title><img src="${source}" alt="The picture">`;
    const url = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [content]);
  return h(
    'div',
    { className: 'picture' },
    h('h5', null, 'Response body'),
    h('p', null, h('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open the picture')),
    h('img', { src: source, alt: 'The picture' }),
  );
}
