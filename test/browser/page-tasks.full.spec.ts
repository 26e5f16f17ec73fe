import { mouse } from '../support/hands.js';
import { doTasks } from '../support/tasks.js';

/* The tasks with the mouse, and with the number of clicks that they take. */
doTasks(mouse);
