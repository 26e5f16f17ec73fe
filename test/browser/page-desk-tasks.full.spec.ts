import { mouse } from '../support/hands.js';
import { doDeskTasks } from '../support/desk-tasks.js';

/* The tasks of the asset desk with the mouse, with the number of clicks of each. */
doDeskTasks(mouse);
