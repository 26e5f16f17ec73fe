/* Parameters of a list: its filters are shown, their operators folded away behind one explanation of all of them. */

const OPERATORS = [
  ['status__n', 'is not; null is not equal to anything, so it is included'],
  ['createdAt__gte, __lte, __gt, __lt', 'at least, at most, more than, less than: numbers, times, dates, decimals'],
  ['name__ic, __isw, __ie', 'contains, starts with, equals, whatever the case: text'],
  ['notes__empty', '`true` for null, `false` for the rest'],
];

const isOperator = (parameter) => parameter.has('x-operator-of');

export const foldOperators = (Original, { React }) =>
  function FoldedParameters(props) {
    const h = React.createElement;
    const [isOpen, setOpen] = React.useState(false);
    const operators = props.parameters.count(isOperator);
    if (operators === 0) return h(Original, props);
    const parameters = isOpen ? props.parameters : props.parameters.filterNot(isOperator);
    return h(
      'div',
      { className: 'folded-parameters' },
      h(Original, { ...props, parameters }),
      h(
        'div',
        { className: 'operators' },
        h('p', null, 'An operator after the name of a filter compares in another way than by equality:'),
        h(
          'dl',
          null,
          OPERATORS.map(([names, meaning]) => [
            h('dt', { key: names }, h('code', null, names)),
            h(
              'dd',
              { key: `${names} means` },
              meaning.split('`').map((text, i) => (i % 2 ? h('code', { key: i }, text) : text)),
            ),
          ]),
        ),
        h(
          'button',
          { type: 'button', className: 'btn', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
          isOpen ? `Hide the ${operators} filters with operators` : `Show the ${operators} filters with operators`,
        ),
      ),
    );
  };
