// Who may import whom. `npm run check` fails on any arrow that is not allowed here, and on every cycle.
const tests = '\\.(?:test|trial)\\.ts$'

const packages = {
  core: 'packages/core',
  addresses: 'packages/addresses',
  sdk: 'packages/sdk',
  react: 'packages/react',
  devnet: 'packages/devnet',
  program: 'packages/program',
  cluster: 'packages/cluster',
  server: 'apps/server',
  daemon: 'apps/daemon',
  cli: 'apps/cli',
  web: 'apps/web',
  demo: 'apps/demo',
  docs: 'apps/docs',
  'test-support': 'tests/support',
  simulator: 'tests/simulator',
  e2e: 'tests/e2e',
  bench: 'bench',
}

/**
 * A workspace package may import only the listed ones.
 *
 * @param {string} name
 * @param {string} folder
 * @param {string[]} allowed
 */
function only(name, folder, allowed) {
  const others = Object.entries(packages).filter(([other, at]) => at !== folder && !allowed.includes(other))
  const [names, folders] = [others.map(([other]) => other), others.map(([, at]) => at)]
  return {
    name,
    severity: 'error',
    from: { path: `^${folder}/src/`, pathNot: tests },
    to: { path: `^(?:${folders.join('|')})/|^@firmquote/(?:${names.join('|')})` },
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
      from: {
        path: '^(?:(?:packages|apps)/[^/]+/src|tests/(?:simulator|support)/src|bench/src|examples)/',
        pathNot: tests,
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'packages-below-apps',
      comment: 'What apps are made of knows none of them, in its tests either.',
      severity: 'error',
      from: { path: '^packages/' },
      to: {
        path: '^(?:apps|bench)/|^tests/(?!support/)|^@firmquote/(?:server|daemon|cli|web|demo|docs|e2e|simulator|bench)$',
      },
    },
    {
      name: 'product-without-test-support',
      comment: 'What ships imports no test and nothing that tests share.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/[^/]+/src/', pathNot: `${tests}` },
      to: { path: '^(?:packages|apps)/[^/]+/test/|^tests/|^@firmquote/test-support' },
    },
    only('addresses-imports-nothing', 'packages/addresses', []),
    only('core-imports-no-package', 'packages/core', []),
    only('sdk', 'packages/sdk', ['core', 'addresses']),
    only('react', 'packages/react', ['core', 'sdk']),
    only('devnet', 'packages/devnet', ['core', 'addresses']),
    only('program', 'packages/program', ['core']),
    only('test-support', 'tests/support', ['core', 'devnet', 'cluster']),
    only('cluster', 'packages/cluster', []),
    only('simulator', 'tests/simulator', ['core', 'server', 'daemon']),
    {
      name: 'simulator-runs-use-cases',
      comment:
        'What touches the world is simulated: of adapters and doors only the SQL of the store and the quotas in memory are part of a history.',
      severity: 'error',
      from: { path: '^tests/simulator/src/', pathNot: tests },
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
      name: 'examples-published-packages-only',
      comment:
        'An example works where it is copied to: it imports what is published, as it is built, and no other example.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(?:packages|apps|examples|tests|bench)/|^@firmquote/',
        pathNot: '^(?:packages/(?:core|addresses|sdk|react|devnet)|apps/(?:server|daemon|cli))/dist/|^examples/$1/',
      },
    },
    {
      name: 'examples-without-packages',
      comment: 'They show that the protocol is enough.',
      severity: 'error',
      from: { path: '^examples/(?:maker|stream)/' },
      to: { path: '^(?:packages|apps|tests|bench)/|^@firmquote/' },
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
