/* The bar with the name of the open change set and the number of its operations. */

import { useEffect } from 'preact/hooks';
import { useGet } from '../api.js';
import { Icon } from '../icon.js';
import { typed } from '../model.js';
import { setPlan, usePlan } from '../plan.js';
import { counted } from './words.js';

export function PlanBar() {
  const plan = usePlan();
  const { answer, error } = useGet(plan?.path);
  const set = answer && typed<'ChangeSet'>(answer.data);
  // Another user may have merged or deleted it.
  const isOver = error?.status === 404 || (set && set.status !== 'open');
  useEffect(() => {
    if (isOver) setPlan(undefined);
  }, [isOver]);
  if (!plan) return null;
  return (
    <aside class="plan-bar" aria-label="Open change set">
      <span>
        <Icon name="clipboard" /> Planning in{' '}
        <a href={`#${plan.path.slice(4)}`}>
          <bdi>{set?.name ?? plan.name}</bdi>
        </a>
        {set && `: ${counted(set.operationCount, 'change')}`}
      </span>
      <span class="tools">
        <a class="button" href={`#${plan.path.slice(4)}`}>
          Review
        </a>
        <button type="button" class="quiet" onClick={() => setPlan(undefined)}>
          Stop planning
        </button>
      </span>
    </aside>
  );
}
