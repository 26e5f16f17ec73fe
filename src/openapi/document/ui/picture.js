/* Pictures: how they are asked for, and how they are shown. */

const PAGING = ['query.page', 'query.pageSize'];

/** The request without what Swagger UI has filled in for a list, if it asks for a picture, which has no pages. */
export function withoutPaging(request) {
  const { operation, parameters } = request;
  if (parameters['query.format'] !== 'svg') return request;
  const defaults = new Map(
    operation
      .get('parameters')
      .map((parameter) => [`query.${parameter.get('name')}`, String(parameter.getIn(['schema', 'default']))]),
  );
  const given = Object.entries(parameters).filter(
    ([name, value]) => !PAGING.includes(name) && defaults.get(name) !== String(value),
  );
  return { ...request, parameters: Object.fromEntries(given) };
}

/** A picture as such, with a link that opens it, and not as its text. */
export const showPicture = (Original, { React }) =>
  function ResponseBody(props) {
    const h = React.createElement;
    const { content, contentType = '', url } = props;
    const isPicture = contentType.startsWith('image/svg+xml') && typeof content === 'string';
    if (!isPicture) return h(Original, props);
    return h(
      'div',
      { className: 'picture' },
      h('h5', null, 'Response body'),
      h('p', null, h('a', { href: url, target: '_blank', rel: 'noopener' }, 'Open the picture')),
      h('img', { src: `data:image/svg+xml,${encodeURIComponent(content)}`, alt: 'The picture' }),
    );
  };
