import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS_PAGE } from '../../http/error-body.js';
import { areaOf, groupsOf } from './slim.js';

/**
 * `/llms.txt`, as https://llmstxt.org describes it: an overview of the service for language models and the programs around them. It is
 * derived from the document, so a new resource needs nothing here.
 * @param publicUrl the base address of the links, which are paths without it
 */
export function llmsText(document: OpenAPIObject, publicUrl = ''): string {
  const [purpose, ...paragraphs] = document.info.description!.split('\n').filter((line) => line !== '');
  const link = (title: string, path: string, about: string): string => `- [${title}](${publicUrl}${path}): ${about}`;
  return [
    `# ${document.info.title}`,
    `> ${purpose!}`,
    ...paragraphs,
    '## Documents by area',
    groupsOf(document)
      .map((group) => link(group.name, `/openapi.json?areas=${areaOf(group)}&filters=plain`, group.tags.join(', ')))
      .join('\n'),
    '## Errors',
    link('Errors', ERRORS_PAGE, 'statuses and codes of errors, and what to do about them'),
    '## Optional',
    [
      link('All areas', '/openapi.json?filters=plain', 'OpenAPI 3.1, without the operators of filters'),
      link('All areas with operators', '/openapi.json', 'OpenAPI 3.1'),
      link('OpenAPI 3.0', '/openapi-3.0.json?filters=plain', 'for older tools'),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
