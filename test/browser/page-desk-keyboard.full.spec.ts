import { keyboard } from '../support/hands.js';
import { doDeskTasks } from '../support/desk-tasks.js';

/* The same tasks with the keyboard alone. */
doDeskTasks(keyboard);
