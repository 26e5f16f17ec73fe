/** Setting, local to a transaction, that tells the triggers of the change log on whose behalf it writes. */
export const ATTRIBUTION = 'inventory.by';
