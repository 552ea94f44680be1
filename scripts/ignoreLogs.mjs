/** What is logged, beside secrets, which have tests of their own, is words for people: no test holds each of them. */
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
