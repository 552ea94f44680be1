/** Ignores log messages, since no test checks their wording. Separate tests check for secrets in logs. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'logs',
    value: {
      shouldIgnore(path) {
        if (!path.isCallExpression()) return undefined
        const { object } = path.node.callee
        return object?.type === 'Identifier' && object.name === 'log' ? 'log message' : undefined
      },
    },
  },
]
