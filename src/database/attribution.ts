/** Setting, local to a transaction, that tells the change log triggers who made the change. */
export const ATTRIBUTION = 'inventory.by';
