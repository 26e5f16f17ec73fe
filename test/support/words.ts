/**
 * Finds words of the API and of the program in the visible page, inside the browser: ids, raw times, values and names of properties,
 * and columns of tables without a value. Names that users gave are no faults: those in links and in the heading of a record.
 * @param raw values that have other words in the page
 */
export function faultsOfWords(raw: readonly string[]): string[] {
  const faults = new Set<string>();
  const rawValues = new Set(raw);
  const at = (element: Element): string =>
    `${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.replaceAll(' ', '.')}` : ''}`;
  const clean = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const find = (element: Element, what: string, text: string): void => {
    faults.add(`${what}: ${JSON.stringify(text.slice(0, 80))} in ${at(element)}`);
  };
  // What is folded is as visible as the rest to those who unfold it.
  for (const folded of document.querySelectorAll('details')) folded.open = true;

  /** Words that are wrong wherever they are. */
  const ANYWHERE: readonly [string, RegExp][] = [
    ['an id', /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w@-])/i],
    ['a raw time', /\b\d{4}-\d\d-\d\dT\d\d/],
    ['a raw value', /\[\]|\{\}|\[object |\{"|\b(?:null|undefined|NaN|Invalid Date)\b/],
  ];
  /** Words that only a user may have chosen. */
  const OWN: readonly [string, RegExp][] = [
    ['an action', /(?<![\w.-])[a-z][a-z-]*\.(?:create|update|delete|restore)d?\b/],
    ['a name of a property', /(?<![\w./@-])(?:[a-z]+(?:_[a-z\d]+)+|[a-z]{2,}[A-Z][a-z]+\w*)(?![\w./@-])/],
  ];
  const isName = (element: Element): boolean =>
    element.closest('h1, .crumbs, a:not(.button, .tabs a, nav.side a), code, kbd') !== null;
  const isChosen = (element: Element): boolean =>
    [
      element.closest<HTMLElement>('td')?.dataset.label,
      element.closest('dd')?.previousElementSibling?.textContent,
      element.closest('li')?.querySelector('.field')?.textContent,
    ].some((label) => ['Category', 'Slug'].includes(clean(label)));
  const judge = (element: Element, text: string): void => {
    for (const [what, pattern] of ANYWHERE) if (pattern.test(text)) find(element, what, text);
    if (isName(element)) return;
    for (const [what, pattern] of OWN) if (pattern.test(text)) find(element, what, text);
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement!;
    const text = clean(texts.currentNode.textContent);
    if (
      text !== '' &&
      (element.checkVisibility() || element.matches('option')) &&
      !element.closest('script, style, textarea')
    )
      judge(element, text);
  }
  for (const element of document.querySelectorAll('[title], [placeholder], [aria-label]'))
    for (const name of ['title', 'placeholder', 'aria-label'])
      if (element.hasAttribute(name)) judge(element, clean(element.getAttribute(name)));

  for (const input of document.querySelectorAll<HTMLInputElement>('main input:is([type=text], :not([type]))'))
    for (const [what, pattern] of ANYWHERE) if (pattern.test(input.value)) find(input, what, input.value);

  for (const element of document.querySelectorAll('bdi, option, td, dd, button, summary, .chip, .badge, strong')) {
    const text = clean(element.textContent);
    // A unit after a number is a word of a sentence.
    if (element.parentElement?.previousElementSibling?.matches('[type=number]')) continue;
    if (rawValues.has(text) && !element.querySelector('a') && !isName(element) && !isChosen(element))
      find(element, 'a value of the API', text);
  }

  const WORDS_OF_THE_API =
    /^(?:resources?|slug|id|uuid|record id|request id|payload|enum|boolean|string|.* (?:id|slug|uuid))$/i;
  for (const label of document.querySelectorAll(
    'main :is(th, dt, label, legend, h2, h3, summary, caption, figcaption)',
  )) {
    const text = clean(label.textContent);
    if (!label.checkVisibility()) continue;
    // A form, a filter and a choice of columns may name the slug, which those who integrate other programs need.
    if (WORDS_OF_THE_API.test(text) && !(label.matches('label') && text.startsWith('Slug')))
      find(label, 'a word of the API', text);
    if (!label.querySelector('bdi, a, input') && /^[a-z\d]+(?:[-_][a-z\d]+)+$/.test(text))
      find(label, 'a heading in code', text);
  }

  for (const table of document.querySelectorAll<HTMLTableElement>('main table')) {
    if (!table.checkVisibility() || table.closest('form, [aria-label=Versions]') || table.querySelector('[colspan]'))
      continue;
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const isBlank = (cell: Element | undefined): boolean =>
      !cell || (/^[–—-]?$/.test(clean(cell.textContent)) && !cell.querySelector('input, button, img, svg, select'));
    for (const [index, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries())
      if (rows.length > 0 && rows.every(({ cells }) => isBlank(cells[index])))
        find(head, 'an empty column', clean(head.textContent));
  }
  return [...faults];
}
