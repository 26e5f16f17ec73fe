import { Controller, type Type } from '@nestjs/common';
import { addBodyRule, CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import type { Class, Concrete } from '../../fields/field.js';
import { Fault } from '../../http/errors.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { nameOfResource } from '../containment.js';
import { BOTH, NEITHER, RESPONSIBLE, type Responsibility, type Responsible } from './responsibility.entity.js';

/** Validates a body, so that all its faults are reported at once. Constraints check a change together with the rest of its record. */
function addRule(body: Class, isWhole: boolean): void {
  addBodyRule(body, ({ roster, personId }) => {
    const isNone = (value: unknown): boolean => value === null || (isWhole && value === undefined);
    if (isNone(roster) && isNone(personId)) return new Fault('roster', NEITHER);
    return (roster ?? null) !== null && (personId ?? null) !== null ? new Fault('personId', BOTH) : undefined;
  });
}

/** The controller of the responsibilities of one kind of record. */
function responsibilitiesController({ owner, field, record }: Responsible): Type {
  const bodies = { create: CreateBody(record), update: UpdateBody(record) };
  const named = (words: string, body: Concrete<Partial<Responsibility>>): Concrete => {
    const name = `${words}${record.name}`;
    return { [name]: class extends body {} }[name]!;
  };
  const create = named('Create', bodies.create);
  const update = named('Update', bodies.update);
  addRule(create, true);
  addRule(update, false);

  @Controller(`api/${nameOfResource(owner)}/:id/responsibilities`)
  class ResponsibilitiesController extends ResourceController({
    record,
    create,
    update,
    conflicts: true,
    owner: { record: owner, field, param: 'responsibilityId' },
  }) {}
  Object.defineProperty(ResponsibilitiesController, 'name', { value: `${owner.name}ResponsibilitiesController` });
  return ResponsibilitiesController;
}

/** The responsibilities of every kind of record that has them. */
export const responsibilitiesControllers: readonly Type[] = RESPONSIBLE.map(responsibilitiesController);
