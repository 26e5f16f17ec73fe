/* The template language of the page: Preact's elements, written with htm. */

import { h } from './preact.js';
import htm from './htm.js';

export const html = htm.bind(h);
