import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';

const SERVED = Symbol('record of a service');

/**
 * Makes a class the service of a record: a provider, whose class is its token. A constructor that injects more than its
 * base class takes the `RecordStores` first.
 */
export const RecordService =
  (record: Class<StoredRecord>): ClassDecorator =>
  (target) => {
    Injectable()(target);
    Reflect.defineMetadata(SERVED, record, target);
  };

/** The record that a service class is declared for; undefined for a class that serves any record. */
export const recordServedBy = (service: object): Class<StoredRecord> | undefined =>
  Reflect.getMetadata(SERVED, service) as Class<StoredRecord> | undefined;
