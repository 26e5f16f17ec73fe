import { ConfigurationError } from '../../config/configuration.js';

/**
 * The sentence for the operator about a listener that cannot be opened.
 * @param prefix of the variables that have its address
 */
export function listenFault(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
  prefix = '',
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(`Port ${port} of ${host} is in use. Set ${prefix}PORT to a free one`);
    case 'EACCES':
      return new ConfigurationError(
        `Port ${port} of ${host} is not permitted to this user. Set ${prefix}PORT to another one`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return new ConfigurationError(`${prefix}HOST must be an address of this machine, not '${host}'`);
    default:
      return error;
  }
}
