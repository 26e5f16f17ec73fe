/** What the command line asks of a running service, which owns the embedded database. */
export interface OwnerRequest {
  command: 'session' | 'catalogue';
}
