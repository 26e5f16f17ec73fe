import { raw, sql, type Sql } from '../../database/sql.js';

/** Number of recent purchases that are read first. They include most types, so that few other purchases have to be read. */
const RECENT = 1000;

/** Compares purchases by date, the latest first. Purchases without a date come last. */
const LATEST = raw('a.purchased_at DESC NULLS LAST, a.created_at DESC, a.id');

/**
 * SELECT of the latest purchase price of each device type, as `{device_type_id, purchase_price, purchase_order_id}`. Assets without a
 * price do not count.
 * @param of rows whose types are wanted
 */
const typePrices = (of: Sql): Sql => sql`
  WITH recent AS MATERIALIZED (
    SELECT DISTINCT ON (d.device_type_id) d.device_type_id, a.purchase_price, a.purchase_order_id
    FROM (SELECT * FROM assets a WHERE a.purchase_price IS NOT NULL ORDER BY ${LATEST} LIMIT ${raw(RECENT)}) a
      -- Without OFFSET all devices would be read.
      CROSS JOIN LATERAL (SELECT d.device_type_id FROM devices d WHERE d.asset_id = a.id OFFSET 0) d
    WHERE d.device_type_id IS NOT NULL ORDER BY d.device_type_id, ${LATEST}
  )
  SELECT * FROM recent
  UNION ALL
  SELECT * FROM (
    SELECT DISTINCT ON (d.device_type_id) d.device_type_id, a.purchase_price, a.purchase_order_id
    FROM devices d JOIN assets a ON a.id = d.asset_id
    WHERE a.purchase_price IS NOT NULL AND d.device_type_id = ANY(ARRAY(
      SELECT t.id FROM device_types t WHERE t.id NOT IN (SELECT device_type_id FROM recent) AND EXISTS (SELECT FROM ${of} v WHERE v.device_type_id = t.id)
    ))
    ORDER BY d.device_type_id, ${LATEST}
  ) others`;

/** Price of replacing a device, over the joins of `pricing`. */
export const AMOUNT = raw('coalesce(typical.purchase_price, own.purchase_price)');
export const CURRENCY = raw('ordered.currency::text');

/** Joins of devices to their prices. @param device alias of a device @param of the rows with this alias */
export const pricing = (device: Sql, of: Sql): Sql => sql`
  LEFT JOIN (${typePrices(of)}) typical ON typical.device_type_id = ${device}.device_type_id
  LEFT JOIN assets own ON own.id = CASE WHEN typical.purchase_price IS NULL THEN ${device}.asset_id END AND own.purchase_price IS NOT NULL
  LEFT JOIN purchase_orders ordered
    ON ordered.id = CASE WHEN typical.purchase_price IS NULL THEN own.purchase_order_id ELSE typical.purchase_order_id END`;

/** SELECT of the replacement cost of devices, as `{priced_id, amount, currency}`. @param of SQL of their table */
export const pricesOf = (of: Sql): Sql =>
  sql`SELECT v.id AS priced_id, ${AMOUNT} AS amount, ${CURRENCY} AS currency FROM ${of} v ${pricing(raw('v'), of)}`;

/**
 * SELECT of the replacement cost of assets without devices, as `{amount, currency}`: the last price of an asset with the same
 * manufacturer and name.
 * @param of SELECT of the ids of the assets
 */
export const assetPrices = (of: Sql): Sql => sql`
  SELECT p.purchase_price AS amount, o.currency::text AS currency FROM assets v LEFT JOIN LATERAL (
    SELECT a.purchase_price, a.purchase_order_id FROM assets a
    WHERE a.purchase_price IS NOT NULL
      AND (a.id = v.id OR (v.manufacturer_id IS NOT NULL AND a.manufacturer_id = v.manufacturer_id AND a.name = v.name))
    ORDER BY ${LATEST} LIMIT 1
  ) p ON true LEFT JOIN purchase_orders o ON o.id = p.purchase_order_id WHERE v.id IN (${of})`;
