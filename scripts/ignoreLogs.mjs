/** Ignores log messages, since no test checks their wording. Secrets in logs have separate tests. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'logs',
    value: {
      shouldIgnore(path) {
        if (!path.isCallExpression()) return undefined
        const { object } = path.node.callee
        return object?.type === 'Identifier' && object.name === 'log' ? 'what is logged' : undefined
      },
    },
  },
]
