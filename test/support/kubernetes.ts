import { Ajv, type ValidateFunction } from 'ajv';

/*
 * A manual subset of the Kubernetes API: the objects and properties that the manifests use or may use. Unknown properties are faults:
 * an API server at best ignores them, and the schemas that `npm run check -- manifests` uses do not refuse them.
 */

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string', minLength: 1 };
const integer: Schema = { type: 'integer', minimum: 0 };
const yes: Schema = { type: 'boolean' };
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' };
const port: Schema = { anyOf: [name, { type: 'integer', minimum: 1, maximum: 65_535 }] };
const count: Schema = { anyOf: [integer, { type: 'string', pattern: '^\\d+%$' }] };
const quantity: Schema = { type: 'string', pattern: String.raw`^\d+(\.\d+)?(m|[KMGT]i?)?$` };
const labels: Schema = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^([A-Za-z0-9]([\\w.-]{0,61}[A-Za-z0-9])?)?$' },
  propertyNames: { pattern: '^([a-z0-9.-]+/)?[A-Za-z0-9][\\w.-]{0,62}$' },
};
const oneOf = (...values: string[]): Schema => ({ enum: values });
const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });
/** @param properties names of required ones end with `!` */
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).flatMap((key) => (key.endsWith('!') ? [key.slice(0, -1)] : [])),
  properties: Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key.replace('!', ''), schema])),
});

const metadata = object({ 'name!': name, namespace: name, labels, annotations: { type: 'object' } });
const selector = object({ 'matchLabels!': labels });
const user = {
  runAsNonRoot: yes,
  runAsUser: integer,
  runAsGroup: integer,
  seccompProfile: object({ 'type!': oneOf('RuntimeDefault', 'Unconfined', 'Localhost') }),
};
const key = object({ 'name!': name, 'key!': text, optional: yes });
const probe = object({
  'httpGet!': object({ 'path!': { type: 'string', pattern: '^/' }, 'port!': port, scheme: oneOf('HTTP', 'HTTPS') }),
  initialDelaySeconds: integer,
  periodSeconds: integer,
  timeoutSeconds: integer,
  successThreshold: integer,
  failureThreshold: integer,
});
const resources = object({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity });

const container = object({
  'name!': name,
  'image!': text,
  imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
  command: list(text),
  args: list(text),
  ports: list(object({ name, 'containerPort!': port, protocol: oneOf('TCP', 'UDP') })),
  env: list({
    oneOf: [
      object({ 'name!': text, 'value!': { type: 'string' } }),
      object({ 'name!': text, 'valueFrom!': object({ secretKeyRef: key, configMapKeyRef: key }) }),
    ],
  }),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: object({ preStop: object({ 'exec!': object({ 'command!': list(text) }) }) }),
  securityContext: object({
    ...user,
    allowPrivilegeEscalation: yes,
    privileged: yes,
    readOnlyRootFilesystem: yes,
    capabilities: object({ drop: list(text), add: list(text) }),
  }),
  resources: object({ requests: resources, limits: resources }),
  volumeMounts: list(object({ 'name!': name, 'mountPath!': text, readOnly: yes, subPath: text })),
});

const template = object({
  metadata: object({ labels, annotations: { type: 'object' } }),
  'spec!': object({
    'containers!': list(container),
    initContainers: list(container),
    volumes: list(
      object({
        'name!': name,
        emptyDir: object({ sizeLimit: quantity, medium: oneOf('Memory') }),
        secret: object({ secretName: name }),
      }),
    ),
    restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
    serviceAccountName: name,
    automountServiceAccountToken: yes,
    terminationGracePeriodSeconds: integer,
    securityContext: object({ ...user, fsGroup: integer }),
    topologySpreadConstraints: list(
      object({
        'maxSkew!': integer,
        'topologyKey!': text,
        'whenUnsatisfiable!': oneOf('DoNotSchedule', 'ScheduleAnyway'),
        'labelSelector!': selector,
      }),
    ),
  }),
});

const peers = list(
  object({
    namespaceSelector: selector,
    podSelector: selector,
    ipBlock: object({ 'cidr!': text, except: list(text) }),
  }),
);
const allowedPorts = list(object({ 'port!': port, 'protocol!': oneOf('TCP', 'UDP') }));

const kind = (apiVersion: string, spec: Schema): Schema =>
  object({ 'apiVersion!': { const: apiVersion }, 'kind!': text, 'metadata!': metadata, 'spec!': spec });

const KINDS: Record<string, Schema> = {
  Deployment: kind(
    'apps/v1',
    object({
      replicas: integer,
      minReadySeconds: integer,
      'selector!': selector,
      strategy: object({
        type: oneOf('RollingUpdate', 'Recreate'),
        rollingUpdate: object({ maxUnavailable: count, maxSurge: count }),
      }),
      'template!': template,
    }),
  ),
  Job: kind(
    'batch/v1',
    object({
      backoffLimit: integer,
      activeDeadlineSeconds: integer,
      ttlSecondsAfterFinished: integer,
      'template!': template,
    }),
  ),
  Service: kind(
    'v1',
    object({
      type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
      'selector!': labels,
      'ports!': list(object({ name, 'port!': port, targetPort: port, protocol: oneOf('TCP', 'UDP') })),
    }),
  ),
  NetworkPolicy: kind(
    'networking.k8s.io/v1',
    object({
      'podSelector!': selector,
      'policyTypes!': list(oneOf('Ingress', 'Egress')),
      ingress: list(object({ from: peers, ports: allowedPorts })),
      egress: list(object({ to: peers, ports: allowedPorts })),
    }),
  ),
  PodDisruptionBudget: kind('policy/v1', object({ minAvailable: count, maxUnavailable: count, 'selector!': selector })),
};

const ajv = new Ajv({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>(
  Object.entries(KINDS).map(([of, schema]) => [of, ajv.compile(schema)]),
);

/** The faults of a Kubernetes object; empty if it is valid. */
export function faultsOf(manifest: { kind?: string }): string[] {
  const validate = validators.get(String(manifest.kind));
  if (!validate) return [`${manifest.kind} is not a kind that is known here`];
  validate(manifest);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
