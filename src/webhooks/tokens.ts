/** The addresses that webhooks may be sent to. */
export const ADDRESS_POLICY = Symbol('address policy');
