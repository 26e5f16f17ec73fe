import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { loadConfiguration } from '../config/configuration.js';
import { AppModule } from './app.module.js';

/** The application without instances. Its routes can be described without a database and its secrets. */
export function previewApp(): Promise<INestApplication> {
  const parts = { configuration: loadConfiguration({}), dataSource: undefined as never, secrets: undefined as never };
  return NestFactory.create(AppModule.with(parts), new FastifyAdapter(), { preview: true, logger: ['error'] });
}
