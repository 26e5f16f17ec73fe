import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Access } from '../access/access.js';
import { declaredOperations, type DeclaredOperation } from './declared.js';
import { Operation, type OperationDocument } from './operation.js';

const ping: OperationDocument = {
  operationId: 'ping',
  tag: 'Ping',
  text: { summary: 'Ping', description: 'Answers.' },
  status: 204,
};

@Controller('open')
class Documented {
  @Get()
  @Access({ role: 'manager' })
  @Operation(ping)
  get(): void {}

  @Get('more')
  undocumented(): void {}
}

@Controller('inherited')
class Inheriting extends Documented {}

@Controller('closed')
class WithoutAccess {
  @Get()
  @Operation(ping)
  get(): void {}
}

async function declaredIn(...controllers: Type[]): Promise<ReadonlyMap<string, DeclaredOperation>> {
  @Module({ controllers })
  class Pings {}
  const app = await NestFactory.create(Pings, new FastifyAdapter(), { preview: true, logger: false });
  return declaredOperations(app);
}

it('finds the operations of controllers, with what they ask of the caller', async () => {
  const declared = { ...ping, access: { role: 'manager' } };
  expect([...(await declaredIn(Documented))]).toEqual([['ping', declared]]);
  expect([...(await declaredIn(Inheriting))]).toEqual([['ping', declared]]);
});

it('refuses two operations of one name', async () => {
  await expect(declaredIn(Documented, Inheriting)).rejects.toThrow('Two operations are called ping');
});

it('refuses an operation that does not say who may use it', async () => {
  await expect(declaredIn(WithoutAccess)).rejects.toThrow('ping says with no @Access who may use it');
});
