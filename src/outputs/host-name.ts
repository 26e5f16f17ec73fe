const LONGEST = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ANSIBLE_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** A name without its last dot. */
const withoutLastDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

const read = (text: string, label: RegExp): string | undefined => {
  const name = withoutLastDot(text);
  return name.length <= LONGEST && name.split('.').every((part) => label.test(part)) ? name : undefined;
};

/** A host name of RFC 1123 without its last dot; undefined for any other text. */
export const hostNameOf = (text: string): string | undefined => read(text, LABEL);

/** The same for Ansible, which also takes `_`. */
export const ansibleHostNameOf = (text: string): string | undefined => read(text, ANSIBLE_LABEL);
