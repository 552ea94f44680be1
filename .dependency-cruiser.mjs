// Who may import whom. `npm run check` fails on any arrow that is not allowed here, and on every cycle.
const tests = '\\.(?:test|testing|trial)\\.ts$|/src/testing/'

const packages = [
  'core',
  'addresses',
  'sdk',
  'react',
  'devnet',
  'program',
  'testing',
  'cluster',
  'simulator',
  'server',
  'daemon',
  'cli',
  'web',
  'demo',
  'docs',
  'e2e',
  'bench',
]

/**
 * A workspace package may import only the listed ones.
 *
 * @param {string} name
 * @param {string} folder
 * @param {string[]} allowed
 */
function only(name, folder, allowed) {
  const others = packages.filter((other) => other !== folder.split('/')[1] && !allowed.includes(other))
  return {
    name,
    severity: 'error',
    from: { path: `^${folder}/src/`, pathNot: tests },
    to: { path: `^(?:packages|apps)/(?:${others.join('|')})/|^@firmquote/(?:${others.join('|')})` },
  }
}

/**
 * A layer of the server, or of another program, may not import the listed ones.
 *
 * @param {string} from
 * @param {string[]} forbidden
 */
function layer(from, forbidden, app = 'server') {
  return {
    name: `${app}-${from}`,
    severity: 'error',
    from: { path: `^apps/${app}/src/${from}/`, pathNot: tests },
    to: { path: `^apps/${app}/src/(?:${forbidden.join('|')})(?:/|\\.ts)` },
  }
}

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unlisted',
      comment: 'Everything that is imported stands in the package.json of the package that imports it.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/[^/]+/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('addresses-imports-nothing', 'packages/addresses', []),
    only('core-imports-no-package', 'packages/core', []),
    only('sdk', 'packages/sdk', ['core', 'addresses']),
    only('react', 'packages/react', ['core', 'sdk']),
    only('devnet', 'packages/devnet', ['core', 'addresses']),
    only('program', 'packages/program', ['core']),
    only('testing', 'packages/testing', ['core', 'devnet', 'cluster']),
    only('cluster', 'packages/cluster', []),
    only('simulator', 'packages/simulator', ['core', 'server', 'daemon']),
    {
      name: 'simulator-runs-use-cases',
      comment:
        'What touches the world is simulated: of adapters and doors only the SQL of the store and the quotas in memory are part of a history.',
      severity: 'error',
      from: { path: '^packages/simulator/src/', pathNot: tests },
      to: {
        path: '^apps/(?:server|daemon)/src/(?:adapters|doors|http|ws|rpc|start|main)(?:/|\\.ts)',
        pathNot: '^apps/server/src/adapters/(?:sql(?:ite)?Store/|(?:inProcess(?:Quotas|Presence)|tally)\\.ts)',
      },
    },
    only('server', 'apps/server', ['core', 'addresses', 'program']),
    only('daemon', 'apps/daemon', ['core', 'sdk', 'program']),
    only('cli', 'apps/cli', ['core', 'sdk']),
    only('web', 'apps/web', ['core', 'sdk', 'react', 'devnet']),
    only('docs', 'apps/docs', ['core', 'server']),
    {
      name: 'docs-describes-the-api',
      comment: 'Of the server it has what the service says of itself.',
      severity: 'error',
      from: { path: '^apps/docs/src/' },
      to: { path: '^apps/server/', pathNot: '^apps/server/src/http/description/' },
    },
    {
      name: 'web-devnet-for-demo-wallets',
      comment: 'Of the devnet the page has the wallet of its demo account alone.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: `${tests}|^apps/web/src/chain/announceDemoWallet\\.ts$` },
      to: { path: '^packages/devnet/|^@firmquote/devnet' },
    },
    {
      name: 'core-viem-and-zod-only',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'core'],
        pathNot: '/node_modules/(?:viem|zod|abitype|ox)/',
      },
    },
    {
      name: 'core-wasm-in-the-verifier-only',
      comment: 'What a browser loads carries no WASM.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '^packages/core/src/verifier/' },
      to: { path: '^packages/core/src/verifier/|/node_modules/ox/' },
    },
    {
      name: 'core-pure-files',
      comment: 'What decides knows neither the wire nor the chain.',
      severity: 'error',
      from: { path: '^packages/core/src/[^/]+\\.ts$', pathNot: tests },
      to: { path: '^packages/core/src/(?:wire|endpoints|chain)/|/node_modules/zod/|/node_modules/viem/.*/actions/' },
    },
    {
      name: 'sdk-root-runs-anywhere',
      comment: 'Node built-ins only behind @firmquote/sdk/node.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: `${tests}|^packages/sdk/src/(?:node\\.ts|daemon/)` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'react-runs-in-browsers',
      comment: 'No Node built-ins, and no renderer: React Native and tests have others.',
      severity: 'error',
      from: { path: '^packages/react/src/', pathNot: tests },
      to: {
        dependencyTypes: ['core', 'npm-dev', 'npm'],
        path: '^(?:node:|[^/]+$)|/node_modules/(?:react-dom|happy-dom)/',
      },
    },
    layer('domain', ['ports', 'scheduling', 'app', 'doors', 'http', 'ws', 'adapters', 'start', 'main']),
    layer('ports', ['scheduling', 'app', 'doors', 'http', 'ws', 'adapters', 'start', 'main']),
    layer('scheduling', ['domain', 'ports', 'app', 'doors', 'http', 'ws', 'adapters', 'start', 'main']),
    layer('app', ['doors', 'http', 'ws', 'adapters', 'start', 'main']),
    layer('doors', ['app', 'http', 'ws', 'adapters', 'start', 'main']),
    layer('http', ['ws', 'adapters', 'start', 'main']),
    layer('ws', ['http', 'adapters', 'start', 'main']),
    layer('adapters', ['app', 'doors', 'http', 'ws', 'start', 'main']),
    layer('domain', ['ports', 'app', 'adapters', 'rpc', 'start', 'main'], 'daemon'),
    layer('ports', ['app', 'adapters', 'rpc', 'start', 'main'], 'daemon'),
    layer('app', ['adapters', 'rpc', 'start', 'main'], 'daemon'),
    layer('adapters', ['app', 'rpc', 'start', 'main'], 'daemon'),
    layer('rpc', ['domain', 'ports', 'adapters', 'start', 'main'], 'daemon'),
    layer('start', ['rpc', 'main'], 'daemon'),
    layer('service', ['texts', 'chain', 'ui', 'fixing', 'views', 'app'], 'web'),
    layer('texts', ['chain', 'ui', 'fixing', 'views', 'app'], 'web'),
    layer('chain', ['texts', 'ui', 'fixing', 'views', 'app'], 'web'),
    layer('ui', ['fixing', 'views', 'app'], 'web'),
    layer('fixing', ['views', 'app'], 'web'),
    layer('views', ['app'], 'web'),
    {
      name: 'web-views-stand-alone',
      comment: 'What two views need lies in fixing, ui, service or chain.',
      severity: 'error',
      from: { path: '^apps/web/src/views/([^/]+)/' },
      to: { path: '^apps/web/src/views/', pathNot: '^apps/web/src/views/$1/' },
    },
    {
      name: 'environment-only-in-main',
      severity: 'error',
      from: { path: '^apps/(?:server|daemon)/src/(?:domain|app|doors|http|ws|ports)/', pathNot: tests },
      to: { dependencyTypes: ['core'], path: '^(?:node:)?(?:fs|child_process|process)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: { path: '\\.bundled_' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
