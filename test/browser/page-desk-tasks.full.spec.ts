import { mouse } from '../support/hands.js';
import { doDeskTasks } from '../support/desk-tasks.js';

/* The tasks of the asset desk with the mouse, and with the number of clicks that they take. */
doDeskTasks(mouse);
