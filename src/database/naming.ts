import { DefaultNamingStrategy, type Table } from 'typeorm';

/** `serialNumber` in SQL: `serial_number`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

const tableName = (table: Table | string): string => (typeof table === 'string' ? table : table.name).split('.').pop()!;

/** Readable names. Errors, query plans and dumps say `fk_runbooks_owner_id` instead of `FK_9f1c…`. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }
  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return snakeCase(`${relationName}_${referencedColumnName}`);
  }
  override primaryKeyName(table: Table | string): string {
    return `pk_${tableName(table)}`;
  }
  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `fk_${tableName(table)}_${columns.join('_')}`;
  }
  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `uq_${tableName(table)}_${columns.join('_')}`;
  }
  override indexName(table: Table | string, columns: string[]): string {
    return `ix_${tableName(table)}_${columns.join('_')}`;
  }
  override checkConstraintName(table: Table | string, expression: string): string {
    throw new Error(`Name the check of ${tableName(table)} (${expression}): errors are mapped by its name`);
  }
}
