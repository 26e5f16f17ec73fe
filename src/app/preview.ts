import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { loadConfiguration } from '../config/configuration.js';
import { Secrets } from '../access/secrets.js';
import { dataSourceOf, type Schema } from '../database/data-source.js';
import { AppModule } from './app.module.js';

const NO_SCHEMA: Schema = { entities: [], migrations: [], channels: [] };

/** The application without instances. Its routes can be described without a database and its secrets. */
export function previewApp(): Promise<INestApplication> {
  const parts = {
    configuration: loadConfiguration({}),
    dataSource: dataSourceOf({}, NO_SCHEMA),
    secrets: new Secrets('unused'),
  };
  return NestFactory.create(AppModule.with(parts), new FastifyAdapter(), { preview: true, logger: ['error'] });
}
