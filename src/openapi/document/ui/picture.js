/* Requests for pictures, and their display. */

const PICTURE = 'image/svg+xml';
const PAGING = ['query.page', 'query.pageSize'];

/** Whether a picture is requested: by the format, which has precedence, or by the media type. */
function isOfPicture(parameters, defaults, mediaType) {
  const format = parameters['query.format'];
  const isChosen = format !== undefined && format !== '' && format !== defaults.get('query.format');
  return isChosen ? format === 'svg' : mediaType === PICTURE;
}

/**
 * A request for a picture without the parameters from Swagger UI, because a picture has no pages and no other format. @param mediaType
 * that is accepted
 */
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

/** Shows a picture instead of its text, with a link that opens it. */
export const showPicture = (Original, { React }) =>
  function ResponseBody(props) {
    const { content, contentType = '' } = props;
    const isPicture = contentType.startsWith(PICTURE) && typeof content === 'string';
    return React.createElement(isPicture ? Picture : Original, { React, ...props });
  };

/**
 * The link opens the received picture, because a new request of the browser would have neither a token nor the media type. It opens it
 * inside a page, because this page's content security policy would refuse the styles of a picture by itself.
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
