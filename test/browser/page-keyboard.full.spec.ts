import { keyboard } from '../support/hands.js';
import { doTasks } from '../support/tasks.js';

/* The same tasks with the keyboard alone. The focus is visible, moves by Tab and arrows, and reacts to Enter, Space and letters. */
doTasks(keyboard);
