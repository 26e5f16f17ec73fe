import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

export const fastifyOf = (app: NestFastifyApplication): FastifyInstance => app.getHttpAdapter().getInstance();
