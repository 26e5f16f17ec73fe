/* The user's own settings: the password and, for administrators, the sessions. */

import { currentProfile, fill, may, resolve } from './model.js';
import { send } from './api.js';
import { Form } from './form.js';
import { List } from './list.js';
import { Title } from './parts.js';
import { go } from './route.js';
import { say } from './toasts.js';
import type { components } from '../../../sdk/typescript/schema.js';
import type { Field } from './types.js';

type Change = components['schemas']['ChangePassword'];

const FIELDS: (Field & { name: keyof Change })[] = [
  { name: 'currentPassword', type: 'string', writeOnly: true, required: true },
  {
    name: 'newPassword',
    type: 'string',
    writeOnly: true,
    required: true,
    description: 'At least 12 characters. Other sessions of yours end',
  },
];

export function Account({ query }: { query: URLSearchParams }) {
  const { id } = currentProfile()!;
  const sessions = resolve(`/api/profiles/${id}/sessions`)?.collection;
  return (
    <>
      <Title text="Your account" />
      <h2>Change your password</h2>
      <Form
        fields={FIELDS}
        base={{}}
        label="Change the password"
        cancel="#"
        submit={async (body) => {
          await send('POST', '/api/auth/password', { body });
          say('The password is changed');
          go('');
        }}
      />
      {sessions && may(sessions) && (
        <>
          <h2>Your sessions</h2>
          <List path={fill(sessions.path, `/api/profiles/${id}/sessions`)} collection={sessions} query={query} within />
        </>
      )}
    </>
  );
}
