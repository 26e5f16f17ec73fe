// A rule of oxlint. SQL with variable parts must use the tags of src/database/sql.ts, which separate values from text. Constants of a
// module are allowed, because no request can change them.
const STATEMENT = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH)\b/;
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const MESSAGE = 'Join SQL with the tags of src/database/sql.ts, not by hand.';

const isStatement = (node) =>
  node.type === 'TemplateLiteral'
    ? STATEMENT.test(node.quasis[0].value.raw)
    : node.type === 'Literal' && typeof node.value === 'string' && STATEMENT.test(node.value);

const isInFunction = ({ parent }) => parent !== null && (FUNCTIONS.includes(parent.type) || isInFunction(parent));

export default {
  meta: { name: 'sql' },
  rules: {
    'no-joined': {
      create: (context) => ({
        TemplateLiteral(node) {
          if (node.expressions.length === 0 || node.parent.type === 'TaggedTemplateExpression') return;
          if (isStatement(node) && isInFunction(node)) context.report({ node, message: MESSAGE });
        },
        BinaryExpression(node) {
          if (node.operator === '+' && isStatement(node.left)) context.report({ node, message: MESSAGE });
        },
      }),
    },
  },
};
