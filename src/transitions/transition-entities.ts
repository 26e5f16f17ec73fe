import { APPROVALS } from './approvals-of-movables.js';
import { PersonProfile } from './person-profile.entity.js';
import { Transition } from './transition.entity.js';

export const transitionEntities = [Transition, PersonProfile, ...APPROVALS.map(({ record }) => record)];
