import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Access } from '../../access/access.js';
import type { Installation } from '../body.js';
import { declarationsOf, type Declarations } from './declared.js';
import { Operation, type OperationDocument } from '../operation.js';
import { Tag, TagGroup } from '../tags.js';

const ping: OperationDocument = {
  operationId: 'ping',
  text: { summary: 'Ping', description: 'Answers.' },
  status: 204,
};

@Controller('open')
@Tag('Pings', 'Whether somebody answers')
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

@Controller('untagged')
class WithoutTag {
  @Get()
  @Access({ public: true })
  @Operation(ping)
  get(): void {}
}

@Controller('undescribed')
@Tag('Pongs')
class WithoutDescription extends WithoutTag {}

@Controller('closed')
@Tag('Pings', 'Whether somebody answers')
class WithoutAccess {
  @Get()
  @Operation(ping)
  get(): void {}
}

async function declaredIn(...controllers: Type[]): Promise<Declarations> {
  @TagGroup('Service')
  @Module({ controllers })
  class Pings {}
  const app = await NestFactory.create(Pings, new FastifyAdapter(), { preview: true, logger: false });
  return declarationsOf(app, {} as Installation);
}

it.each([Documented, Inheriting])('finds what the controller %p and its module declare', async (controller) => {
  const { operations, tagGroups } = await declaredIn(controller);
  expect([...operations]).toEqual([
    ['ping', { ...ping, query: [], access: { role: 'manager' }, idempotent: false, tag: 'Pings' }],
  ]);
  expect([...tagGroups]).toEqual([['Service', new Map([['Pings', 'Whether somebody answers']])]]);
});

it('refuses two operations of one name', async () => {
  await expect(declaredIn(Documented, Inheriting)).rejects.toThrow('Two operations are called ping');
});

it('refuses an operation that does not say who may use it', async () => {
  await expect(declaredIn(WithoutAccess)).rejects.toThrow('ping says with no @Access who may use it');
});

it('refuses a controller without a tag, and a tag that no controller describes', async () => {
  await expect(declaredIn(WithoutTag)).rejects.toThrow('WithoutTag has no @Tag');
  await expect(declaredIn(WithoutDescription)).rejects.toThrow("Tag 'Pongs' has no description");
});
