const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

module.exports = () => {
  const args = [join(__dirname, '../../scripts/source.cjs'), join(__dirname, 'template.ts'), 'drop'];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
};
