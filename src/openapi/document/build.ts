import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { onceFor } from '../../http/once.js';
import type { Installation } from '../body.js';
import { declarationsOf, type Declarations, type DeclaredOperation } from './declared.js';
import type { Components, Json } from './json.js';
import { NamedSchemas } from './named-schemas.js';
import { OperationWriter } from './operation-writer.js';
import { Parameters, queryOf } from './parameters.js';
import { inOrder } from './path-order.js';
import { addSharedComponents } from './shared-components.js';
import { withAddress } from './published.js';
import { packageVersion } from './version.js';
import { webhooksOf } from './webhooks.js';

const DESCRIPTION = `A system of record for an organisation's infrastructure: operations, network and compute, assets and procurement, people.

Log in at \`POST /api/auth/login\`, or in a browser at \`GET /api/auth/oidc/login\` if single sign-on is configured; the session cookie that it sets is the credential of every other operation. Programs send a token as \`Authorization: Bearer …\`, or as the value of that cookie; tokens are created with a session at \`POST /api/tokens\`.
Success bodies hold the record, or the page of records, in \`data\`. Every error body is \`{"error": "<sentence>", "code": "<code>"}\`; a validation error has all its faults in \`details\`. Sentences may change, codes do not.
Read-only properties such as \`id\` and \`updatedAt\` are ignored in a body, so a record can be sent back as it was read. Every other unknown property is refused, and the error names it.
The body of a PATCH may also be sent as \`application/merge-patch+json\`, which means the same. With \`Accept: application/problem+json\`, errors are problem details (RFC 9457).
Lists are also filtered by the names of referenced records, with the operators of these fields: \`site.name=AMS1\`, \`rack.name__ic=A\`, wherever \`expand\` can add the reference.
Each operation lists the statuses of its responses. Any request can also be refused before it reaches an operation (405, 408, 414, 431) or fail with 500, with the same error body.
For tools that are slow with the whole document, it is also served in parts: \`/openapi.json?areas=network\` has one area, \`?filters=plain\` leaves out operators of filters such as \`name__ic\`, and \`?changeSets=none\` leaves out \`changeSet\` and the response to it, for clients that plan nothing: a write returns one type then.
Texts may contain every Unicode character except NUL, and no lone surrogates.`;

/**
 * The document that Nest generates from the routes and declared properties. It does not depend on custom fields, and takes half of the
 * time. It is cached as text, because each document modifies its own copy.
 */
const skeletonOf = onceFor((app: INestApplication): string => {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Infrastructure Inventory and Operations')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .addServer('/', 'This service')
    .addCookieAuth(
      'session',
      {
        type: 'apiKey',
        in: 'cookie',
        name: 'session',
        description: 'Set by `POST /api/auth/login` and by single sign-on; a token is accepted as its value too',
      },
      'session',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'iio_…', description: 'A token, created by `POST /api/tokens`' },
      'bearerAuth',
    )
    .build();
  return JSON.stringify(SwaggerModule.createDocument(app, config));
});

/**
 * The OpenAPI document of the application. Needs no database.
 * @param installation the custom fields that it includes
 * @param publicUrl the address of the service, for tools that have the document from elsewhere
 */
export function buildDocument(app: INestApplication, installation: Installation, publicUrl?: string): OpenAPIObject {
  const document = JSON.parse(skeletonOf(app)) as OpenAPIObject & Json;
  complete(document, declarationsOf(app, installation), installation);
  return withAddress(document, publicUrl);
}

type Routes = Record<string, Record<string, Json>>;

/** Completes Nest's skeleton of the routes with the declarations of the operations. */
function complete(document: Json, declarations: Declarations, installation: Installation): void {
  const components = (document.components ??= {}) as Components;
  for (const kind of ['schemas', 'parameters', 'responses', 'headers']) components[kind] ??= {};
  addSharedComponents(components);
  const schemas = new NamedSchemas(components.schemas!);
  const parameters = new Parameters(schemas);
  const writer = new OperationWriter(components.schemas!, parameters, installation);
  const routes = document.paths as Routes;
  const paths: Routes = {};
  for (const [route, operations] of Object.entries(routes)) {
    const path = distinctNames(route, routes, declarations);
    paths[path] = operations;
    for (const [method, operation] of Object.entries(operations)) {
      writer.write(method, path, operation, declarationOf(operation, declarations));
    }
  }
  document.paths = Object.fromEntries(inOrder(Object.keys(paths)).map((path) => [path, paths[path]]));
  document.webhooks = webhooksOf(declarations.sent, components.schemas!);
  writer.addFurther();
  parameters.addTo(components.parameters!);
  schemas.replaceIn(components);
  // Redoc and our Swagger UI group the tags by `x-tagGroups`.
  const groups = [...declarations.tagGroups];
  document.tags = groups.flatMap(([, tags]) => [...tags].map(([name, description]) => ({ name, description })));
  document.security = [{ bearerAuth: [] }, { session: [] }];
  document['x-tagGroups'] = groups.map(([name, tags]) => ({ name, tags: [...tags.keys()] }));
  writer.closeBodies();
}

function declarationOf({ operationId }: Json, { operations }: Declarations): DeclaredOperation {
  const declared = operations.get(operationId as string);
  if (!declared) throw new Error(`${String(operationId)} is not documented with @Operation`);
  return declared;
}

/**
 * The path of a route. Many client generators have one name space for the parameters of an operation, in which a path parameter `id`
 * would collide with the filter `id`. So a list below a site has the path parameter `siteId`. A part further down the path has a
 * parameter name of its own too.
 */
function distinctNames(route: string, routes: Routes, declarations: Declarations): string {
  const filters = new Set(
    Object.values(routes[route]!).flatMap((operation) =>
      queryOf(declarationOf(operation, declarations)).map(({ name }) => name),
    ),
  );
  return route.replaceAll(/\{(\w+)\}/g, (placeholder, name: string, end: number) => {
    const isOwner = route.includes('{', end + 1);
    if (!isOwner && !filters.has(name)) return placeholder;
    const { get: record } = routes[route.slice(0, end + placeholder.length)]!;
    const { name: owner } = declarationOf(record!, declarations).response!;
    const named = `${owner.charAt(0).toLowerCase()}${owner.slice(1)}Id`;
    // The list of a token's changes has a filter `tokenId` for the token with which a change was made.
    return filters.has(named) ? `{changed${owner}Id}` : `{${named}}`;
  });
}
