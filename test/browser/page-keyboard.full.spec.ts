import { keyboard } from '../support/hands.js';
import { doTasks } from '../support/tasks.js';

/* The same tasks with the keyboard alone: what has the focus is seen, is reached by Tab and arrows, and used by Enter, Space and letters. */
doTasks(keyboard);
