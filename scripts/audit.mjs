// `npm run check -- audit`: known vulnerabilities of the production dependencies. Fails for high and critical findings. Prints SKIPPED,
// without failing, if no registry responds. Arguments are passed to npm.
import './help.mjs';
import { spawnSync } from 'node:child_process';

const args = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
const { stdout } = spawnSync('npm', [...args, ...process.argv.slice(2)], { encoding: 'utf8', maxBuffer: 2 ** 26 });

/** The report, or undefined if npm only returns an error. */
function reportOf(text) {
  try {
    const report = JSON.parse(text);
    return report.auditReportVersion === undefined ? undefined : report;
  } catch {
    return undefined;
  }
}

const report = reportOf(stdout);
if (!report) {
  console.log(
    'SKIPPED: no registry returned advisories for the dependencies; run `npm run check -- audit` where one is available',
  );
} else {
  const { high, critical, total } = report.metadata.vulnerabilities;
  for (const { name, severity, via } of Object.values(report.vulnerabilities)) {
    // The cause is another package, or an advisory for this one.
    const why = via.map((each) => (typeof each === 'string' ? each : `${each.title} ${each.url}`));
    console.log(`${severity}: ${name} (${why.join('; ')})`);
  }
  console.log(`${total} known vulnerabilities in production dependencies, ${high + critical} of them high or critical`);
  if (high + critical > 0) process.exitCode = 1;
}
