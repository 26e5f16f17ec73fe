/** Requests from the command line to a running service, which owns the embedded database. */
export interface OwnerRequest {
  command: 'session' | 'token' | 'catalogue' | 'backup';
}
