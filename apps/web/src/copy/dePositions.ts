import type { PositionsTexts } from './enPositions.ts'
import { rich } from './rich.ts'

const plurals = new Intl.PluralRules('de')

/** The pages of positions in German. */
export const dePositions: PositionsTexts = {
  back: 'Alle Positionen',
  connect: 'Keine Wallet verbunden',
  connectWhy: 'Verbinden Sie das Konto, das den Zins festgeschrieben hat.',
  fixedNow: 'Derzeit festgeschrieben',
  matured: 'Abzurechnen',
  running: 'Laufend',
  settled: 'Abgerechnet',
  noneRunning: 'Keine laufenden Positionen.',
  noneSettledWhy: 'Abgerechnete Positionen erscheinen hier.',
  moreSettled: 'Mehr anzeigen',
  toWithdraw: (amounts) =>
    rich`${amounts} aus abgerechneten Positionen stehen bereit. Öffnen Sie eine abgerechnete Position, um sie abzuheben.`,
  unknownMarkets: (count) =>
    plurals.select(count) === 'one'
      ? '1 weitere Position liegt in einem unbekannten Markt.'
      : `${count} weitere Positionen liegen in unbekannten Märkten.`,

  records: {
    title: 'Aufzeichnungen',
    lead: 'Alle Positionen mit genauen Beträgen, Zeiten, Adressen und Transaktions-Hashes.',
    save: 'CSV herunterladen',
    saidSaved: 'CSV heruntergeladen.',
    notSaved: 'Herunterladen fehlgeschlagen',
    columns: {
      position: 'Position',
      role: 'Rolle',
      openedAt: 'Eröffnet am',
      openedBlock: 'Eröffnet in Block',
      openedBy: 'Eröffnet durch Transaktion',
      endsAt: 'Laufzeitende',
      symbol: 'Token',
      token: 'Token-Adresse',
      notional: 'Festgeschriebener Betrag',
      cost: 'Kosten',
      settledAt: 'Abgerechnet am',
      settledBlock: 'Abgerechnet in Block',
      settledBy: 'Abgerechnet durch Transaktion',
      toBorrower: 'An Kreditnehmer gezahlt',
      toMaker: 'An Maker gezahlt',
      maker: 'Maker',
      borrower: 'Kreditnehmer',
      pool: 'Pool',
      series: 'Serie',
    },
    roles: { maker: 'Maker', borrower: 'Kreditnehmer' },
  },

  one: (id) => `Position ${id}`,
  missing: 'Position nicht gefunden',
  missingWhy: 'Sie gehört vielleicht zu einem anderen Konto. Eine neue Position erscheint nach einigen Sekunden.',
  unknownMarket: 'Der Markt dieser Position ist unbekannt',
  asBorrower: (market) => `${market}, als Kreditnehmer`,
  asMaker: (market) => `${market}, als Maker`,
  sides: {
    borrower: (figure) => `${figure}, als Kreditnehmer`,
    maker: (figure) => `${figure}, als Maker`,
  },

  figures: {
    fixedAt: 'Ihr Festzins',
    amount: 'Festgeschriebener Betrag',
    ended: 'Laufzeit beendet am',
    ends: 'Laufzeitende',
    soFarNote: 'Ihre Auszahlung, wenn die Laufzeit jetzt enden würde.',
    dueNote: 'Schätzung. Die erste Abrechnung legt den genauen Betrag fest.',
    unknown: 'Auszahlung unbekannt.',
    exactly: (amount) => `Genau ${amount}.`,
    asService: 'Vom Dienst gemeldet, noch nicht von der Blockchain gelesen.',
    notConfirmed: 'Die Blockchain bestätigt diese Auszahlung nicht',
    notConfirmedWhy: 'Die vom Dienst gemeldete Transaktion hat diese Position nicht abgerechnet.',
  },

  accrual: {
    title: 'Auszahlung und Kosten nach Tagen',
    picture: 'Bisherige Auszahlung und Kosten des Festzinses, von der Eröffnung bis zum Laufzeitende',
    interest: 'Auszahlung',
    cost: 'Kosten',
    day: 'Tag',
    today: 'heute',
    projected: (day) => `${day}, Prognose`,
    ifToday: {
      more: (payout, difference) =>
        rich`Würde die Laufzeit heute enden, bekämen Sie ${payout}: ${difference} mehr als die Kosten mit Zinsen.`,
      less: (payout, difference) =>
        rich`Würde die Laufzeit heute enden, bekämen Sie ${payout}: ${difference} weniger als die Kosten mit Zinsen.`,
    },
    ended: {
      more: (payout, difference) =>
        rich`Die Auszahlung beträgt ${payout}: ${difference} mehr als die Kosten mit Zinsen.`,
      less: (payout, difference) =>
        rich`Die Auszahlung beträgt ${payout}: ${difference} weniger als die Kosten mit Zinsen.`,
    },
    even: (day, rate) => `Ab ${day} hat sich der Festzins gelohnt, wenn der variable Zins bei ${rate} APY bleibt.`,
    evenSince: (day) => `Seit ${day} hat sich der Festzins gelohnt.`,
    neverEven: (day, rate) =>
      `Bis ${day} lohnt sich der Festzins nicht, wenn der variable Zins bei ${rate} APY bleibt.`,
    legend: (rate) => `Gestrichelt: Prognose zum heutigen variablen Zins von ${rate} APY.`,
    costNote: 'Die Kosten enthalten hier die Zinsen, die eine Tilgung mit diesem Geld gespart hätte.',
  },

  timeline: {
    title: 'Verlauf',
    today: 'Heute',
    opened: 'Zins festgeschrieben',
    paidFor: (cost, amount) => rich`Sie haben ${cost} gezahlt, um den Zins für ${amount} festzuschreiben.`,
    paidForAt: (cost, amount, rate) =>
      rich`Sie haben ${cost} gezahlt, um den Zins für ${amount} auf ${rate} festzuschreiben.`,
    lockedFor: (cost, amount) => rich`Sie haben ${amount} gesperrt. Der Kreditnehmer hat ${cost} gezahlt.`,
    accrued: (amount) => rich`Auszahlung bisher: etwa ${amount}. Ihre Schuld wächst weiter und kann liquidiert werden.`,
    accruedForMaker: (amount) => rich`Auszahlung des Kreditnehmers bisher: etwa ${amount}.`,
    ends: 'Laufzeitende',
    ended: 'Laufzeit beendet',
    thenBorrower: (amount) => rich`Sie erhalten die variablen Zinsen auf ${amount}, höchstens diesen Betrag.`,
    thenMaker: 'Sie erhalten Ihren gesperrten Betrag und die Kosten, abzüglich der Auszahlung des Kreditnehmers.',
    due: 'Jeder kann abrechnen. Die erste Abrechnung legt die Auszahlung fest.',
    final: 'Jeder kann abrechnen. Die Auszahlung steht fest.',
    settled: 'Abgerechnet',
    shares: (toBorrower, toMaker) => rich`${toBorrower} an den Kreditnehmer, ${toMaker} an den Maker.`,
    withdrawn: 'Abgehoben',
    received: (amount) => rich`${amount} auf Ihr Konto.`,
    receivedMore: (amount) => rich`${amount} auf Ihr Konto, einschließlich anderer Auszahlungen.`,
  },

  calendar: {
    add: 'Zum Kalender hinzufügen',
    title: (amount) => `Festzins endet: ${amount}`,
    description: (id, from) =>
      `Rechnen Sie Position ${id} ab ${from} ab und heben Sie Ihre Auszahlung ab. Warten Sie nicht lange: Die Auszahlung hängt vom Zeitpunkt der ersten Abrechnung ab. Am letzten Tag können Sie auf der Seite der Position den Zins festhalten.`,
  },

  observe: {
    title: 'Heutigen Zins festhalten',
    lead: 'Die Auszahlung wird zwischen dem letzten festgehaltenen Zins vor dem Laufzeitende und dem ersten danach geschätzt. Ein heute festgehaltener Zins macht sie genauer.',
    last: (at) => `Zuletzt festgehalten: ${at}.`,
    record: 'Heutigen Zins festhalten',
    saidRecorded: 'Zins festgehalten.',
  },

  settle: {
    both: 'Abrechnen und abheben',
    all: 'Abrechnen, abheben und tilgen',
    withdraw: 'Auszahlung abheben',
    withdrawRepay: 'Abheben und tilgen',
    repay: 'Kredit tilgen',
    lead: 'Die Abrechnung legt beide Auszahlungen fest. Danach heben Sie Ihre ab.',
    leadTogether: 'Eine Bestätigung rechnet die Position ab und zahlt Sie aus.',
    dueLead:
      'Die Auszahlung steht noch nicht fest: Die erste Abrechnung bestimmt sie für alle mit diesem Markt und Laufzeitende.',
    finalLead: 'Die Auszahlung steht fest.',
    withdrawLead: 'Die Position ist abgerechnet. Ihre Auszahlung liegt im Vertrag.',
    repayLead: 'Ihre Auszahlung ist auf Ihrem Konto.',
    resetLead:
      'Ihre Auszahlung ist auf Ihrem Konto. Damit setzen Sie die restliche Freigabe für das Kreditprotokoll zurück.',
    settledBy: (account) => rich`Abgerechnet von ${account}. Jeder kann abrechnen, mit demselben Ergebnis.`,
    about: (amount) => rich`Etwa ${amount}`,
    withOthers: (amount) => rich`Enthält ${amount} aus anderen Positionen.`,
    nothing: 'Keine Auszahlung',
    nothingWhy: 'Auf diesen Betrag fielen keine variablen Zinsen an.',
    withdrawAmount: (amount) => `${amount} abheben`,
    repayAmount: (amount) => `${amount} tilgen`,
    reset: 'Freigabe zurücksetzen',
    repayPart: (amount, debt) => rich`${amount} Ihrer Schuld von ${debt} tilgen`,
    repayAll: (amount) => rich`Ihre gesamte Schuld in diesem Markt tilgen, ${amount}`,
    roughly: (amount) => rich`etwa ${amount}`,
    repayTogether: 'In derselben Bestätigung.',
    repayLater: 'In einer zweiten Bestätigung, sobald der Betrag durch die Abrechnung feststeht.',
    repayApart: 'In zwei weiteren Bestätigungen: dem Kreditprotokoll freigeben, dann tilgen.',
    steps: 'Schritte',
    stateWords: {
      done: 'erledigt',
      current: 'als Nächstes',
      busy: 'läuft',
      failed: 'fehlgeschlagen',
      todo: 'offen',
    },
    settleStep: 'Abrechnen',
    withdrawStep: 'Abheben',
    repayStep: 'Tilgen',
    notKnown: 'Die Blockchain war nicht lesbar',
    done: 'Ausgezahlt',
    doneWhy: (amount) => `Sie haben ${amount} erhalten.`,
    repaid: (amount) => `Sie haben ${amount} getilgt.`,
    repaidAll: (amount) => `Sie haben Ihre gesamte Schuld in diesem Markt getilgt, ${amount}.`,
    owes: (amount) => rich`Sie schulden noch ${amount} zum variablen Zins.`,
    noAllowance: 'Das Kreditprotokoll kann Ihre Token nicht ausgeben.',
    allowance: (amount) => rich`Das Kreditprotokoll kann noch ${amount} ausgeben.`,
    again: 'Erneut festschreiben',
    againWhy: (amount, day, limit) =>
      rich`Ihr Zins ist wieder variabel. Schreiben Sie ${amount} bis ${day} für höchstens ${limit} fest.`,
    count: (count) => `Alle ${count} abrechnen`,
    allTitle: 'Alle abrechnen',
    allLeadTogether: 'Eine Bestätigung rechnet alle fälligen Positionen ab und zahlt Sie aus.',
    allLead: 'Rechnet alle fälligen Positionen ab und zahlt Sie aus, mit mehreren Bestätigungen.',
    allMost: (count) => `Auf einmal werden höchstens ${count} Positionen abgerechnet. Die anderen folgen.`,
    allRepay: 'Kredite mit den Auszahlungen tilgen',
    notRepaid: 'Ihre Schuld wurde nicht getilgt, weil sie sich vorher geändert hat.',
  },

  sending: {
    asking: 'Bestätigen Sie in Ihrer Wallet …',
    called: 'Wird gesendet …',
    sent: 'Gesendet. Warten auf einen Block …',
    seeing: 'Bestätigt. Wird aktualisiert …',
    failedIn: (block) => `In Block ${block} fehlgeschlagen`,
    failedWhy:
      'Sie haben nur die Netzwerkgebühr gezahlt. Wahrscheinlich hat jemand anderes zuerst abgerechnet: Sehen Sie nach, was noch zu tun ist.',
    notFound: 'Transaktion nicht gefunden',
    notSent: 'Nicht gesendet',
    saidSent: 'Transaktion gesendet.',
    saidSettled: 'Position abgerechnet.',
    saidPaid: 'Auszahlung erhalten.',
    saidRepaid: 'Kredit getilgt.',
  },

  details: {
    position: (id) => `Position ${id}`,
    opened: (block) => `Eröffnet in Block ${block}`,
    maker: (address) => `Maker: ${address}`,
    borrower: (address) => `Kreditnehmer: ${address}`,
    settled: (block, hash) => `Abgerechnet in Block ${block} durch ${hash}`,
    withdrawn: (hash) => `Abgehoben durch ${hash}`,
    readAt: (block) => `Gelesen bei Block ${block}`,
  },
}
