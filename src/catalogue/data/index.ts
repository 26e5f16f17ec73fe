export * from './types.js';
export { manufacturers } from './manufacturers.js';
export { platforms } from './platforms.js';
export { deviceRoles } from './device-roles.js';
export { deviceTypes } from './device-types.js';
