// Import rules. `npm run check` rejects forbidden imports and all cycles.
const tests = '\\.(?:test|trial)\\.ts$'

const packages = Object.fromEntries([
  ...['core', 'addresses', 'sdk', 'react', 'devnet', 'cluster', 'verify'].map((name) => [name, `packages/${name}`]),
  ...['server', 'daemon', 'cli', 'web', 'demo', 'docs'].map((name) => [name, `apps/${name}`]),
  ...['simulator', 'e2e'].map((name) => [name, `tests/${name}`]),
  ['node-runtime', 'packages/nodeRuntime'],
  ['test-support', 'tests/support'],
  ['bench', 'bench'],
])

/**
 * Packages that each package may import. Each key names a rule: the importing package's name, optionally followed by a
 * suffix.
 *
 * @type {Record<string, string[]>}
 */
const imports = {
  'addresses-imports-nothing': [],
  'core-imports-no-package': [],
  sdk: ['core', 'addresses', 'verify'],
  react: ['core', 'sdk'],
  devnet: ['core', 'addresses'],
  'node-runtime': ['core'],
  verify: ['core'],
  'test-support': ['core', 'devnet', 'cluster'],
  cluster: [],
  simulator: ['core', 'server', 'daemon', 'cli', 'verify'],
  server: ['core', 'addresses', 'node-runtime', 'verify'],
  daemon: ['core', 'sdk', 'verify', 'node-runtime'],
  cli: ['core', 'sdk', 'verify'],
  web: ['core', 'sdk', 'react', 'verify', 'devnet'],
  docs: ['core', 'server'],
}

/** Layers that each layer of an app must not import. */
const layers = {
  'server/domain': 'ports|scheduling|app|entry|adapters|start|admin|main',
  'server/ports': 'scheduling|app|entry|adapters|start|admin|main',
  'server/scheduling': 'domain|ports|app|entry|adapters|start|admin|main',
  'server/app': 'entry|adapters|start|admin|main',
  'server/entry': 'adapters|start|admin|main',
  'server/entry/http': 'entry/ws',
  'server/entry/ws': 'entry/http',
  'server/adapters': 'app|entry|start|admin|main',
  'server/start': 'admin|main',
  // Runs in the operator's process, which opens nothing that the server has open.
  'server/admin': 'scheduling|entry|adapters|main',
  'daemon/domain': 'ports|app|adapters|rpc|start|main',
  'daemon/ports': 'app|adapters|rpc|start|main',
  'daemon/app': 'adapters|rpc|start|main',
  'daemon/adapters': 'app|rpc|start|main',
  'daemon/rpc': 'domain|ports|adapters|start|main',
  'daemon/start': 'rpc|main',
  'web/service': 'copy|chain|ui|fixing|views|app',
  'web/copy': 'chain|ui|fixing|views|app',
  'web/chain': 'copy|ui|fixing|views|app',
  'web/ui': 'fixing|views|app',
  'web/fixing': 'views|app',
  'web/views': 'app',
}

/**
 * Forbids imports from files that match a pattern. Tests are exempt.
 *
 * @param {string} name
 * @param {string} from
 * @param {string | object} to a pattern, or a dependency-cruiser condition
 * @param {string} except pattern of importing files that are exempt
 */
function forbid(name, from, to, except = tests) {
  return {
    ...{ name, severity: 'error', from: { path: from, pathNot: except } },
    to: typeof to === 'string' ? { path: to } : to,
  }
}

/**
 * Like {@link forbid}, but also applies to tests.
 *
 * @type {(name: string, from: string, to: string | object) => ReturnType<typeof forbid>}
 */
const forbidToAll = (name, from, to) => forbid(name, from, to, '^$')

const importRules = Object.entries(imports).map(([name, allowed]) => {
  const folder = packages[name.replace(/-imports-.*/, '')]
  const others = Object.keys(packages).filter((other) => packages[other] !== folder && !allowed.includes(other))
  const folders = others.map((other) => packages[other])
  return forbid(name, `^${folder}/src/`, `^(?:${folders.join('|')})/|^@firmquote/(?:${others.join('|')})`)
})

const layerRules = Object.entries(layers).map(([path, forbidden]) => {
  const [app, name] = path.split(/\/(.*)/)
  return forbid(`${app}-${name}`, `^apps/${app}/src/${name}/`, `^apps/${app}/src/(?:${forbidden})(?:/|\\.ts)`)
})

export default {
  forbidden: [
    forbidToAll('no-cycles', '', { circular: true }),
    forbidToAll('resolvable', '', { couldNotResolve: true }),
    // Every import must be listed in the importing package's package.json.
    forbid('no-unlisted', '^(?:(?:packages|apps)/[^/]+/src|tests/(?:simulator|support)/src|bench/src|examples)/', {
      dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'],
    }),
    forbidToAll(
      'packages-below-apps',
      '^packages/',
      '^(?:apps|bench)/|^tests/(?!support/)|^@firmquote/(?:server|daemon|cli|web|demo|docs|e2e|simulator|bench)$',
    ),
    forbid(
      'product-without-test-support',
      '^(?:packages|apps)/[^/]+/src/',
      '^(?:packages|apps)/[^/]+/test/|^tests/|^@firmquote/test-support',
    ),
    ...importRules,
    // The simulator replaces all adapters except the store's SQL and the in-process bus, quotas and presence. Of the CLI, it
    // runs the monitor.
    forbid('simulator-runs-use-cases', '^tests/simulator/src/', {
      path: '^apps/(?:(?:server|daemon)/src/(?:adapters|entry|rpc|start|admin|main)(?:/|\\.ts)|cli/src/(?!proofs/(?:auditLog|logMonitor)\\.ts))',
      pathNot: '^apps/server/src/adapters/(?:sql(?:ite)?Store/|(?:inProcess(?:Bus|Quotas|Presence)|tally)\\.ts)',
    }),
    forbidToAll('docs-describes-the-api', '^apps/docs/src/', {
      path: '^apps/server/',
      pathNot: '^apps/server/src/entry/http/description/',
    }),
    forbid(
      'web-devnet-for-demo-wallets',
      '^apps/web/src/',
      '^packages/devnet/|^@firmquote/devnet',
      `${tests}|^apps/web/src/chain/announceDemoWallet\\.ts$`,
    ),
    // An example must work when copied elsewhere, so it may import only published packages.
    forbidToAll('examples-published-packages-only', '^examples/([^/]+)/', {
      path: '^(?:packages|apps|examples|tests|bench)/|^@firmquote/',
      pathNot:
        '^(?:packages/(?:core|addresses|sdk|react|devnet|verify)|apps/(?:server|daemon|cli))/dist/|^examples/$1/',
    }),
    // These examples show that clients need only the protocol.
    forbidToAll(
      'examples-without-packages',
      '^examples/(?:maker|stream)/',
      '^(?:packages|apps|tests|bench)/|^@firmquote/',
    ),
    forbid('core-viem-and-zod-only', '^packages/core/src/', {
      dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'core'],
      pathNot: '/node_modules/(?:viem|zod|abitype|ox)/',
    }),
    // Web apps must not load WebAssembly.
    forbid(
      'core-wasm-in-the-verifier-only',
      '^packages/core/src/',
      '^packages/core/src/verifier/|/node_modules/ox/',
      '^packages/core/src/verifier/',
    ),
    forbid(
      'core-pure-files',
      '^packages/core/src/(?:[^/]+\\.ts$|(?:auction|auth|format|quote|rates|selection|values)/)',
      '^packages/core/src/(?:wire|endpoints|chain)/|/node_modules/zod/|/node_modules/viem/.*/actions/',
    ),
    forbid(
      'sdk-root-runs-anywhere',
      '^packages/sdk/src/',
      { dependencyTypes: ['core'] },
      `${tests}|^packages/sdk/src/(?:node\\.ts|daemon/)`,
    ),
    // The React package must not import Node built-ins, or a renderer, because React Native provides its own.
    forbid('react-runs-in-browsers', '^packages/react/src/', {
      dependencyTypes: ['core', 'npm-dev', 'npm'],
      path: '^(?:node:|[^/]+$)|/node_modules/(?:react-dom|happy-dom)/',
    }),
    ...layerRules,
    // Code shared between views belongs in `fixing`, `ui`, `service` or `chain`.
    forbidToAll('web-views-stand-alone', '^apps/web/src/views/([^/]+)/', {
      path: '^apps/web/src/views/',
      pathNot: '^apps/web/src/views/$1/',
    }),
    forbid('environment-only-in-main', '^apps/(?:server|daemon)/src/(?:domain|app|entry|ports)/', {
      dependencyTypes: ['core'],
      path: '^(?:node:)?(?:fs|child_process|process)',
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: { path: '\\.bundled_' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
