import { mouse } from '../support/hands.js';
import { doTasks } from '../support/tasks.js';

/* The tasks with the mouse, with the number of clicks of each. */
doTasks(mouse);
