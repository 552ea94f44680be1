import type { Action, History } from './plan.ts'

/** A history as text for people: who does what, in the order of time. */
export function describeHistory(history: History): string {
  const { seed, database, instances, actions } = history
  const homes = history.homes.map(({ first, second }) => `${first}${second === null ? '' : `+${second}`}`).join(' ')
  return [
    `seed ${seed}: ${instances} ${instances === 1 ? 'instance' : 'instances'}, backers on ${homes}; database: ${database}; faults end at ${seconds(history.end)}`,
    ...actions.map((action) => `  ${seconds(action.at).padStart(9)}  ${describeAction(action)}`),
  ].join('\n')
}

function describeAction(action: Action): string {
  switch (action.do) {
    case 'auction': {
      const { auction, borrower, instance, keyed, streams, short, maxVrt, steps } = action
      const what = [keyed ? 'with a key' : 'without a key', streams ? 'streams' : 'waits for the result']
      if (short) what.push('of the short series')
      if (maxVrt) what.push('with a limit of vrt')
      const later = steps.map((step) => `${step.do} on instance ${step.instance} after ${seconds(step.after)}`)
      return `borrower ${borrower} opens auction ${auction} on instance ${instance} ${[...what, ...later].join('; ')}`
    }
    case 'quote': {
      const { backer, auction, kind, after, price, retries } = action
      return `backer ${backer} quotes in auction ${auction}, ${seconds(after)} after it hears of it: ${kind}, at ${price}${retries ? '' : ', and never again'}`
    }
    case 'crash':
      return `instance ${action.instance} crashes, is back after ${seconds(action.for)}`
    case 'restart':
      return `instance ${action.instance} is stopped in order, is back after ${seconds(action.for)}`
    case 'hold-up':
      return `instance ${action.instance} is held up for ${seconds(action.for)}`
    case 'stall':
      return `who calls ${action.before} next is held up right before for ${seconds(action.for)}`
    case 'clock':
      return `the wall clock of instance ${action.instance} jumps by ${seconds(action.by)}, for ${seconds(action.for)}`
    case 'storage':
      return `the database of instance ${action.instance} for ${seconds(action.for)}: ${facts(action.faults)}`
    case 'network':
      return `the network for ${seconds(action.for)}: ${facts(action.faults)}`
    case 'partition':
      return `instances ${action.side.join(', ')} are cut off from ${action.from === 'both' ? 'bus and database' : `the ${action.from}`} for ${seconds(action.for)}`
    case 'database':
      return action.how === 'away'
        ? `nobody reaches the database for ${seconds(action.for)}`
        : `the database fails over, which takes ${seconds(action.for)}`
    case 'node':
      return `the node of instance ${action.instance} for ${seconds(action.for)}: ${facts(action.faults)}`
    case 'reorganisation':
      return action.without.length === 0
        ? `the newest ${action.depth} blocks are replaced`
        : `the newest ${action.depth} blocks are replaced, which the nodes of instances ${action.without.join(', ')} follow after ${seconds(action.for)}`
    case 'chain stands still':
      return `no block for ${seconds(action.for)}`
    case 'transaction':
      return `transaction about backer ${action.backer}: ${action.what}`
    case 'backer leaves':
      return `backer ${action.backer} disconnects for ${seconds(action.for)}`
    case 'borrower returns':
      return `borrower ${action.borrower} opens auctions on instances ${action.instances.join(', ')} as soon as none of its earlier ones counts`
    case 'publish':
      return `backer ${action.backer} publishes a ${action.good ? 'good' : 'bad'} quote on instance ${action.instance} at ${action.price}`
    case 'list':
      return `somebody lists ${action.what} on instance ${action.instance}`
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`
}

function facts(faults: object): string {
  return Object.entries(faults)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
