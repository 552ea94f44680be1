import type { Texts } from './en.ts'
import { rich } from './rich.ts'
import { spellGerman } from './spellGerman.ts'

const plurals = new Intl.PluralRules('de')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`
const offers = (count: number) => many(count, 'Angebot', 'Angebote')
/** After `mit`, `von` and the like. */
const ofOffers = (count: number) => many(count, 'Angebot', 'Angeboten')
const makers = (count: number) => many(count, 'Maker', 'Maker')
const have = (count: number) => (plurals.select(count) === 'one' ? 'hat' : 'haben')

/** The texts in German. */
export const deTexts: Texts = {
  common: {
    details: 'Details',
    tryAgain: 'Erneut versuchen',
    copy: {
      address: 'Adresse kopieren',
      transaction: 'Transaktions-Hash kopieren',
      offer: 'Hash des Angebots kopieren',
      copied: 'Kopiert',
      failed: 'Kopieren fehlgeschlagen. Markieren Sie stattdessen den Text.',
    },
    apr: 'APR',
    apy: 'APY',
    waiting: '…',
    comesOnceAnswered: 'Warten auf den Dienst.',
    fileOffline: 'Sie sind offline. Diese Seite lädt, sobald Sie wieder verbunden sind.',
    fileUnanswered: 'Der Dienst antwortet nicht. Diese Seite lädt, sobald er antwortet.',
    news: 'Neuigkeiten',
    dismiss: 'Schließen',
    loading: (what) => `Wird geladen: ${what}`,
    notLoaded: (what) => `Nicht geladen: ${what}`,
    notUpToDate: (why) => `Nicht aktuell: ${why}`,
    request: (id) => `Anfrage ${id}`,
    sortBy: 'Sortieren nach',
    askForOffers: 'Angebote einholen',
    pausedFor: (message) => `Vom Betreiber pausiert: ${message}`,
    connectWallet: 'Wallet verbinden',
    switchWallet: (chain, id) => `Wallet auf ${chain} (${id}) umstellen`,
    notSwitched: 'Das Netzwerk wurde nicht gewechselt',
    walletElsewhere: 'Ihre Wallet nutzt ein anderes Netzwerk',
    walletSilent: 'Ihre Wallet hat seit einer Minute nicht geantwortet. Öffnen Sie sie oder versuchen Sie es erneut.',
    firm: 'fest',
    indicative: 'unverbindlich',
    offers,
    makers,
    market: (debt, collateral) => `${debt} gegen ${collateral}`,
    marketWithoutCollateral: (debt, id) => `${debt}-Markt ${id}`,
    amountUntil: (amount, day) => rich`${amount} bis ${day}`,
    things: {
      service: 'Dienst',
      page: 'Seite',
      markets: 'Märkte',
      account: 'Ihr Konto',
      debts: 'Ihre Schulden',
      positions: 'Ihre Positionen',
      position: 'Position',
      rates: 'Festzinsen',
      history: 'Zinsverlauf',
      auction: 'Auktion',
      offer: 'Angebot',
      offers: 'Angebote',
      recentOffers: 'letzte Angebote',
    },
    names: {
      market: 'Markt',
      until: 'Festzins bis',
      maker: 'Maker',
      makers: 'Maker',
      fixedRate: 'Festzins',
      totalCost: 'Kosten',
      size: 'Betrag',
      offered: 'Angeboten',
      available: 'Verfügbar',
      action: 'Aktion',
      floatingToday: 'Heute variabel',
      validUntil: 'Gültig bis',
    },
  },

  amounts: {
    example: (plain, short) => `Zum Beispiel ${plain} oder ${short}.`,
    understood: (whole, fraction, symbol) => {
      const words = fraction === '' ? spellGerman(whole) : null
      return words === null ? null : `${words[0]?.toUpperCase()}${words.slice(1)} ${symbol}`
    },
    refused: (refusal, example) => {
      switch (refusal.problem) {
        case 'empty':
          return 'Geben Sie einen Betrag ein.'
        case 'tooLong':
          return 'Das ist zu lang für einen Betrag.'
        case 'signed':
          return 'Entfernen Sie das Plus- oder Minuszeichen.'
        case 'exponent':
          return 'Schreiben Sie die Zahl aus, ohne Exponenten.'
        case 'digits':
          return 'Verwenden Sie die Ziffern 0 bis 9.'
        case 'ambiguous':
          return `Meinen Sie ${refusal.readings[0]} oder ${refusal.readings[1]}?`
        case 'signs':
          return `Meinen Sie ${refusal.reading}?`
        case 'zeros':
          return 'Entfernen Sie die führenden Nullen.'
        case 'unreadable':
          return `Schreiben Sie den Betrag wie ${example}.`
        case 'tooFine':
          return `Dieser Token hat höchstens ${many(refusal.decimals, 'Nachkommastelle', 'Nachkommastellen')}.`
        case 'tooLarge':
          return 'Dieser Betrag ist für jeden Token zu groß.'
      }
    },
    zero: 'Der Betrag muss größer als null sein.',
    use: (amount) => `${amount} übernehmen`,
  },

  app: {
    name: 'Firmquote',
    title: (page) => `${page} · Firmquote`,
    skip: 'Zum Inhalt springen',
    foot: 'Firmquote verwahrt nie Ihr Guthaben.',
    api: 'API',
    licences: 'Lizenzen',
    about: 'Über Firmquote',
    contracts: 'Verträge',
    navigation: 'Seiten',
    menu: 'Menü',
    pages: {
      borrow: 'Kredite',
      markets: 'Märkte',
      curve: 'Zinskurve',
      history: 'Verlauf',
      positions: 'Positionen',
      how: 'So funktioniert es',
    },
    states: {
      ok: 'In Betrieb',
      bad: 'Der Dienst ist gestört',
      unknown: 'Status des Dienstes unbekannt',
    },
    lightTheme: 'Helles Design',
    darkTheme: 'Dunkles Design',
    language: 'Sprache',
    numbers: 'Zahlenformat',
    failed: 'Auf dieser Seite ist ein Fehler aufgetreten',
    reload: 'Seite neu laden',
  },

  trouble: {
    titles: {
      offline: 'Sie sind offline',
      unanswered: 'Der Dienst antwortet nicht',
      oldPage: 'Eine neue Version dieser Seite ist verfügbar',
      database: 'Der Dienst ist ausgefallen',
      chain: 'Der Dienst kann die Blockchain nicht lesen',
      clock: 'Die Uhr des Dienstes geht gegenüber der Blockchain nach',
      behind: 'Der Dienst hinkt der Blockchain hinterher',
      noMakers: 'Kein Maker ist verbunden',
    },
    over: 'Der Dienst antwortet wieder.',
    offline: 'Die Seite wird aktualisiert, sobald Sie wieder verbunden sind.',
    unanswered: 'Alle paar Sekunden folgt ein neuer Versuch.',
    age: (age) => `Der Stand dieser Seite ist mindestens ${age} alt.`,
    oldPage: 'Laden Sie neu, um aktuelle Zahlen zu sehen.',
    load: 'Neu laden',
    database: 'Seine Datenbank antwortet nicht.',
    chain: 'Bis dahin nimmt er keine Angebote entgegen.',
    clock: 'Manche Angebote sind womöglich abgelaufen.',
    behind: (lag) => `Der Stand dieser Seite ist womöglich ${lag} alt.`,
    behindUnknown: 'Diese Seite ist womöglich nicht aktuell.',
    noMakers: 'Im Moment kann niemand auf eine Anfrage antworten.',
  },

  wallet: {
    connect: 'Wallet verbinden',
    wrongNetwork: 'Falsches Netzwerk',
    switchTo: (chain) => `Zu ${chain} wechseln`,
    disconnect: 'Trennen',
    choose: 'Wallet verbinden',
    install: 'Installieren Sie eine Browser-Wallet',
    none: (install) =>
      rich`In diesem Browser wurde keine Wallet gefunden. ${install} und laden Sie diese Seite neu, oder öffnen Sie sie im Browser Ihrer Wallet-App.`,
    openInApp: 'Dieser Browser hat keine Wallet. Öffnen Sie diese Seite in Ihrer Wallet-App:',
    copyPage: 'Adresse kopieren',
    page: 'Festzins für variabel verzinste Kredite',
    scan: 'Scannen Sie diesen Code mit Ihrer Wallet-App oder öffnen Sie die App auf diesem Gerät.',
    code: 'Verbindungscode für eine Wallet-App',
    openCode: 'In einer Wallet-App öffnen',
    copyCode: 'Code kopieren',
    cancel: 'Abbrechen',
    names: {
      walletConnect: 'WalletConnect',
      coinbaseWallet: 'Coinbase Wallet',
      metaMask: 'MetaMask',
      rainbow: 'Rainbow',
      trustWallet: 'Trust Wallet',
    },
    unnamed: 'Wallet ohne Namen',
  },

  walletErrors: {
    noFee: 'Ihr Konto kann die Netzwerkgebühr nicht zahlen.',
    busy: 'In Ihrer Wallet ist noch eine andere Anfrage offen. Schließen Sie diese zuerst ab.',
    locked: 'Ihre Wallet ist gesperrt oder getrennt. Entsperren Sie sie und versuchen Sie es erneut.',
    offline: 'Ihre Wallet hat die Netzwerkverbindung verloren. Versuchen Sie es erneut, sobald sie wieder da ist.',
    limited:
      'Der Node Ihrer Wallet begrenzt Ihre Anfragen. Versuchen Sie es in einer Minute erneut oder wählen Sie in Ihrer Wallet einen anderen Node.',
    unreachable:
      'Der Node Ihrer Wallet ist nicht erreichbar. Prüfen Sie Ihre Verbindung oder wählen Sie in Ihrer Wallet einen anderen Node.',
    failed:
      'Der Node Ihrer Wallet hat einen Fehler gemeldet. Versuchen Sie es erneut oder wählen Sie in Ihrer Wallet einen anderen Node.',
  },

  fixing: {
    cost: (cost, time) => rich`Einmalig ${cost}, für ${time}`,
    estimatedCost: (cost, time) => rich`Einmalig etwa ${cost}, für ${time}`,
    breakEven: (rate) => `Der Festzins lohnt sich, wenn der variable Zins im Schnitt über ${rate} liegt.`,
    neverEven: 'Der Festzins kann sich nicht lohnen: Die Auszahlung ist auf den festgeschriebenen Betrag begrenzt.',
    sameAsVariable: 'Kostet so viel wie variabel, wenn der Zins gleich bleibt.',
    moreThanVariable: (amount) => rich`Kostet ${amount} mehr als variabel, wenn der Zins gleich bleibt.`,
    lessThanVariable: (amount) => rich`Kostet ${amount} weniger als variabel, wenn der Zins gleich bleibt.`,
    scenarios: {
      caption: 'Gesamtkosten bis zum Laufzeitende',
      average: 'Variabler Zins im Schnitt',
      fixed: 'Festzins',
      variable: 'Variabel',
      note: (cap) => rich`Gesamtkosten bis zum Laufzeitende. Die Auszahlung beträgt höchstens ${cap}.`,
      inYear: (rate, share) => `In den letzten 12 Monaten lag der variable Zins an ${share} der Tage über ${rate}.`,
      inDays: (rate, share, days) =>
        days === 1
          ? `Am letzten Tag lag der variable Zins zu ${share} der Zeit über ${rate}.`
          : `In den letzten ${days} Tagen lag der variable Zins an ${share} der Tage über ${rate}.`,
    },
    funds: {
      tooLittle: (amount) =>
        rich`Sie haben ${amount}. Das reicht womöglich nicht für die Kosten. Wählen Sie einen kleineren Betrag oder zahlen Sie erst ein.`,
      noFee: (coin) => `Ihr Guthaben an ${coin} reicht womöglich nicht für die Netzwerkgebühr.`,
    },
    know: {
      title: 'Risiken',
      now: (cost) => rich`Sie zahlen jetzt ${cost}. Das Geld wird nicht erstattet.`,
      estimatedNow: (cost) => rich`Sie zahlen jetzt etwa ${cost}. Das Geld wird nicht erstattet.`,
      meanwhile: 'Ihre Schuld wächst bis zum Laufzeitende weiter und kann liquidiert werden.',
      meanwhileHealth: (factor) =>
        `Ihre Schuld wächst bis zum Laufzeitende weiter und kann liquidiert werden (Health-Faktor ${factor}).`,
      afterwards: (amount) => rich`Die Auszahlung kommt nach dem Laufzeitende, höchstens ${amount}.`,
      outlives: 'Die Absicherung läuft weiter, auch wenn Sie den Kredit tilgen.',
      contracts: 'Die Verträge sind nicht auditiert.',
      more: 'So funktioniert es',
    },
  },

  home: {
    title: 'Festzins für Ihren Kredit',
    lead: 'Zahlen Sie einmalig, und ein Market Maker übernimmt Ihre variablen Zinsen bis zum Laufzeitende.',
    account: 'Ihre Kredite',
    anyAmount: 'Zins für einen Betrag festschreiben',
    ratesMissing: 'Einige Festzinsen konnten nicht geladen werden',
    noMarkets: 'Noch keine Märkte',
    noMarketsWhy: 'Sobald es einen Markt gibt, können Sie hier einen Zins festschreiben.',
    noTerms: 'Alle Laufzeiten sind zu Ende',
    noTermsWhy: 'Sobald eine neue Laufzeit beginnt, können Sie hier einen Zins festschreiben.',
    form: {
      amount: 'Betrag mit Festzins',
      chooseMarket: 'Markt wählen',
      change: 'Betrag ändern oder Höchstzins setzen',
      maxRate: 'Höchstzins',
      upTo: (rate) => `${rate} APY`,
      maxRateDefault: (rate, cost) =>
        `Ohne Angabe ${rate} APY: Sie zahlen höchstens ${cost}. Mehr können Maker nicht verlangen.`,
      maxRateCost: (cost) => `Sie zahlen höchstens ${cost}. Mehr können Maker nicht verlangen.`,
      maxRateLow: (rate) => `Der beste bekannte Zins liegt bei ${rate} APY. Vielleicht erhalten Sie kein Angebot.`,
      noDebt: 'In diesem Markt haben Sie keine Schuld.',
      unfixed: (amount) => rich`Noch variabel: ${amount}`,
      allFixed: (owed) => rich`Ihre Schuld von ${owed} ist vollständig festgeschrieben.`,
      useRest: 'Übernehmen',
      useAvailable: 'Verfügbaren Teil übernehmen',
      overfixed: (amount) =>
        rich`Das sind ${amount} mehr als Ihre noch variable Schuld. Dieser Teil ist eine Wette auf steigende Zinsen.`,
      forAnyone: 'Ohne Wallet kann jeder die Angebote annehmen.',
    },
    mistakes: {
      market: 'Wählen Sie einen Markt.',
      term: 'Wählen Sie eine Laufzeit.',
      termEnded: 'Diese Laufzeit ist zu Ende. Wählen Sie eine spätere.',
      amount: (example, short) => `Geben Sie einen Betrag ein, etwa ${example} oder ${short}.`,
      tooMuch: (amount) => `In dieser Laufzeit sind nur ${amount} verfügbar.`,
      tooLittle: (amount) => `In dieser Laufzeit beträgt der Mindestbetrag ${amount}.`,
      rateZero: 'Geben Sie einen Zins über null ein oder lassen Sie das Feld leer.',
      rateHigh: (rate) => `Geben Sie einen Zins von höchstens ${rate} ein.`,
    },
    terms: {
      title: 'Festzins bis',
      titleOf: (amount) => `Zins für ${amount} festschreiben bis`,
      about: (figure) => rich`ca. ${figure}`,
      noRate: 'anfragen',
      notKnown: 'nicht verfügbar',
      most: (amount, day) => rich`Bis ${day} können nur noch ${amount} festgeschrieben werden.`,
      full: (day) => `Bis ${day} kann nichts mehr festgeschrieben werden. Wählen Sie eine andere Laufzeit.`,
      least: (amount, day) => rich`Bis ${day} können Sie ${amount} oder mehr festschreiben.`,
    },
    price: {
      rate: 'Ihr Festzins',
      about: (rate) => rich`etwa ${rate}`,
      against: (rate) => `statt heute ${rate} variabel`,
      cost: (cost, day) => rich`Einmalig ${cost}, bis ${day}`,
      costAbout: (cost, day) => rich`Einmalig etwa ${cost}, bis ${day}`,
      costOf: (cost, size, day) => rich`Einmalig ${cost} für ${size}, bis ${day}`,
      combined: (count) => `${offers(count)} kombiniert`,
      fromQuote: (size) => rich`Geschätzt aus einem Angebot für ${size}`,
      fromAuction: (size, when) => rich`Geschätzt aus einer Auktion für ${size}, ${when}`,
      noAmount: 'Geben Sie einen Betrag ein, um den Zins zu sehen',
      none: 'Keine aktuellen Angebote. Holen Sie welche ein: Es dauert nur Sekunden.',
      notKnown: 'Die Zinsen sind gerade nicht verfügbar. Angebote können Sie trotzdem einholen.',
      fixAt: (rate) => `${rate} sichern`,
      fixNow: (amount) => `Jetzt ${amount} festschreiben`,
      getQuotes: (seconds) => `Angebote einholen (${seconds} s)`,
    },
    proof: {
      title: 'Konto bestätigen (freiwillig)',
      proven: (until) => `Maker wissen bis ${until}, dass dieses Konto Ihnen gehört.`,
      why: 'Eine kostenlose Signatur, einen Tag gültig. Maker sehen, dass Sie die Schuld haben, und bieten vielleicht für größere Beträge.',
      prove: 'Bestätigung signieren',
      failed: 'Die Bestätigung wurde nicht signiert',
    },
    recent: {
      title: 'Letzte Auktionen',
    },
    loans: {
      none: 'Dieses Konto hat keine Schuld, die sich festschreiben lässt',
      quotedFor: (markets) => `Festschreiben können Sie Schulden in ${markets}.`,
      owed: (amount) => rich`${amount} Schuld`,
      partFixed: (fixed, owed) => rich`${fixed} von ${owed} fest`,
      fullyFixed: (owed) => rich`${owed}, vollständig fest`,
      variable: (rate) => `${rate} variabel`,
      fixed: (rate) => `${rate} fest`,
      overfixed: (amount) =>
        rich`Sie haben mehr festgeschrieben, als Sie schulden. Die überzähligen ${amount} sind eine Wette auf steigende Zinsen.`,
      collateral: 'Sicherheit',
      worth: (amount, value) => rich`${amount}, Wert ${value}`,
      liquidation: 'Liquidationspreis',
      priceNow: (price, collateral, now) => rich`${price} je ${collateral} (jetzt ${now})`,
      health: 'Health-Faktor',
      healthClose: 'Nahe an der Liquidation',
      liquidatable: 'Dieser Kredit kann jetzt liquidiert werden',
      healthUnknown: 'Keine Daten zur Liquidation verfügbar. Sehen Sie dort nach, wo Sie den Kredit aufgenommen haben.',
      healthStays: 'Der Festzins ändert nichts an Ihrem Liquidationsrisiko.',
    },
  },

  positions: {
    title: 'Ihre Positionen',
    none: 'Noch keine Positionen',
    noneWhy: 'Schreiben Sie einen Zins fest, und die Position erscheint hier.',
    all: 'Alle Positionen',
    asMaker: 'als Maker',
    paid: 'Kosten',
    earns: 'Verdient',
    payout: {
      borrower: { soFar: 'Auszahlung bisher', due: 'Ihre Auszahlung', paid: 'Auszahlung' },
      maker: { soFar: 'Wert bisher', due: 'Ihre Auszahlung', paid: 'Auszahlung' },
    },
    unknown: 'unbekannt',
    more: {
      borrower: (amount) => rich`${amount} mehr als die Kosten, ohne Zinsen darauf`,
      maker: (amount) => rich`${amount} mehr, als Sie gesperrt haben`,
    },
    less: {
      borrower: (amount) => rich`${amount} weniger als die Kosten, ohne Zinsen darauf`,
      maker: (amount) => rich`${amount} weniger, als Sie gesperrt haben`,
    },
  },

  auction: {
    notStarted: 'Die Maker konnten nicht angefragt werden',
    auction: 'Auktion',
    notFound: 'Auktion nicht gefunden',
    askAgain: 'Neue Angebote einholen',
    marketGone: 'Der Markt dieser Auktion ist nicht mehr verfügbar',
    open: 'Auktion läuft: Market Maker antworten',
    closed: 'Auktion beendet',
    fix: (amount, day) => rich`Zins für ${amount} bis ${day} festschreiben`,
    asked: {
      title: 'Details der Anfrage',
      limit: 'Höchste Kosten',
      makers: 'Gesendet an',
      limitIs: (rate) => `${rate} APY`,
      limitByPage: (rate) => `${rate} APY, die Vorgabe`,
      limitEnded: 'die Vorgabe',
      validFor: 'Angebote gelten für',
      anyone: 'alle Konten',
      accountAlone: 'nur dieses Konto',
    },
    tabOpen: (left) => `${left} · Auktion`,
    tabBest: (rate) => `${rate} APY · Auktion`,
    tabNone: 'Keine Angebote · Auktion',
    timeLeft: 'Verbleibende Zeit',
    seconds: (left) => (plurals.select(left) === 'one' ? 'Sekunde' : 'Sekunden'),
    closing: 'endet',
    said: {
      started: (asked, seconds) =>
        `Auktion gestartet. ${makers(asked)} ${have(asked)} ${many(seconds, 'Sekunde', 'Sekunden')} Zeit für eine Antwort.`,
      best: (rate, cost) => `Bisher bestes Angebot: ${rate} APY für ${cost}.`,
      closedEmpty: 'Auktion beendet. Kein Maker hat ein Angebot gesendet.',
      closedNone: 'Auktion beendet. Keines der Angebote kann angenommen werden.',
      closed: (count, rate, cost) => `Auktion beendet. ${offers(count)}. Bestes: ${rate} APY für ${cost}.`,
    },
    live: {
      none: 'Warten auf das erste Angebot.',
      noMakers: 'Kein Maker ist verbunden.',
      progress: (count, expected) =>
        count < expected
          ? `Warten kann sich lohnen: ${count} von ${many(expected, 'Maker', 'Makern')} ${have([count, expected].includes(1) ? 1 : count)} geantwortet.`
          : plurals.select(expected) === 'one'
            ? 'Der einzige Maker hat geantwortet.'
            : `Alle ${makers(expected)} haben geantwortet.`,
      wait: 'Warten kann sich lohnen.',
      allNone: 'Alle Maker haben geantwortet. Keines der Angebote kann angenommen werden.',
      tell: 'Bei Auktionsende benachrichtigen',
      willTell: 'Sie werden bei Auktionsende benachrichtigt. Lassen Sie diese Seite geöffnet.',
      tellRefused: 'Benachrichtigungen sind blockiert. Erlauben Sie sie in den Einstellungen Ihres Browsers.',
      tellMissing: 'Dieser Browser unterstützt keine Benachrichtigungen.',
      news: 'Ihre Auktion ist beendet',
      see: 'Angebote ansehen',
    },
    quotes: {
      rate: 'Ihr Festzins',
      forSize: (size) => rich`für ${size}`,
      combined: (count, size) => rich`${offers(count)} kombiniert, für ${size}`,
      against: (variable) => rich`statt heute ${variable} variabel`,
      part: (rest) => rich`Die restlichen ${rest} bleiben variabel.`,
      validFor: (left, time) => `Läuft in ${left} ab, um ${time}.`,
      fix: 'Jetzt festschreiben',
      fixAt: (rate) => `${rate} sichern`,
      fixAtNow: (rate) => `Jetzt ${rate} sichern`,
      checking: 'Prüfung auf der Blockchain …',
      notChecked: 'Kann gerade nicht geprüft werden.',
      chainSilent: 'Die Angebote können nicht geprüft werden',
      chainSilentWhy: 'Ohne den Stand der Blockchain gilt kein Angebot als gültig.',
      byService: 'Vom Dienst bei Eingang geprüft. Verbinden Sie eine Wallet, um erneut zu prüfen und festzuschreiben.',
      byServiceElsewhere:
        'Vom Dienst bei Eingang geprüft. Wechseln Sie in Ihrer Wallet das Netzwerk, um erneut zu prüfen und festzuschreiben.',
      cheaper: (rate) => `Ein veröffentlichtes Angebot ist günstiger: ${rate} APY`,
      published: (rate) => `${rate} mit veröffentlichtem Angebot sichern`,
      title: 'Angebote',
      cost: 'Kosten',
      status: 'Status',
      best: 'Bestes',
      bestOf: (count) => `Bestes: ${offers(count)} kombiniert`,
      combinedToo: 'Mit dem besten kombiniert',
      takeable: 'Verfügbar',
      taken: 'Sie haben dieses Angebot angenommen.',
      waiting: 'Antwort steht aus',
      more: (count) => many(count, 'weiterer Maker', 'weitere Maker'),
      review: 'Prüfen',
      reviewOf: (rate) => `Angebot zu ${rate} APY prüfen`,
      change: 'Betrag ändern oder Höchstzins setzen',
      askRest: 'Angebote für den Rest einholen',
      late: 'Der Dienst war bei Auktionsende ausgefallen, daher endete diese Auktion später. Eingegangene Angebote blieben erhalten.',
      refused: (count) =>
        `${many(count, 'Antwort', 'Antworten')} ${have(count)} die Prüfungen des Dienstes nicht bestanden.`,
      seePositions: 'Ihre Positionen ansehen',
      none: {
        silent: 'Kein Maker hat ein Angebot gesendet',
        refused: 'Keine gültigen Angebote',
        noMakers: 'Kein Maker war verbunden',
        expired: 'Die Angebote sind abgelaufen',
        cannot: 'Keines der Angebote kann angenommen werden',
        rest: 'Keine Angebote mehr für den Rest',
        fixed: 'Vollständig festgeschrieben',
      },
      tryLater: 'Versuchen Sie es in einigen Minuten erneut.',
      tryOther: 'Versuchen Sie eine andere Laufzeit oder einen kleineren Betrag.',
      tryOtherLimit: 'Versuchen Sie eine andere Laufzeit, einen kleineren Betrag oder einen höheren Höchstzins.',
      shortLived: 'Angebote gelten nur wenige Minuten. Holen Sie neue ein.',
      whyBelow: 'Die Gründe stehen unten. Oder holen Sie neue Angebote ein.',
      restVariable: 'Der Rest ist noch variabel. Holen Sie dafür Angebote ein.',
      fixed: (part, all, takes, cost) => rich`${part} von ${all} mit ${ofOffers(takes)} für ${cost} festgeschrieben.`,
      fixedAt: (part, all, takes, rate, cost) =>
        rich`${part} von ${all} zu ${rate} mit ${ofOffers(takes)} für ${cost} festgeschrieben.`,
    },
  },

  openings: {
    how: {
      title: 'So funktioniert es',
      lead: 'Heute zahlen Sie die Kosten. Am Laufzeitende erhalten Sie die variablen Zinsen auf den festgeschriebenen Betrag. Zusammen ergibt das einen Festzins.',
    },
    positions: {
      title: 'Ihre Positionen',
      lead: 'Ihre Festzinsen: abzurechnen, laufend und abgerechnet.',
    },
    markets: {
      title: 'Märkte',
      lead: 'Festzinsen für Ihren Betrag, aus veröffentlichten Angeboten der Market Maker und den letzten Auktionen.',
    },
    curve: { title: 'Zinskurve', lead: 'Der Festzins für jede Laufzeit, neben dem variablen Zins.' },
    history: {
      title: 'Verlauf',
      lead: 'Bisherige variable und feste Zinsen sowie Angebote aus den letzten Auktionen.',
    },
    contracts: {
      title: 'Verträge',
      lead: 'Sie führen Angebote aus und halten Positionen. Sie sind eine Referenz: Schreiben Sie nicht mehr fest, als Sie verlieren können.',
    },
    status: { title: 'Status', lead: 'Direkt vom Dienst: jede Komponente, ihr Zustand und seit wann sie in ihm ist.' },
    proofs: {
      title: 'Nachweise',
      lead: 'Sehen Sie, was eine Nachweisdatei zeigt. Diese Seite prüft sie und sendet sie nirgendwohin.',
    },
  },

  refusals: {
    capacity: (amount) => `In dieser Laufzeit sind nur noch ${amount} verfügbar.`,
    balance: (amount) => `Der Maker hat nur ${amount}.`,
    allowance: (amount) => `Der Maker hat nur ${amount} freigegeben.`,
    otherTaker: (account) => `Signiert für ${account}. Das ist nicht das verbundene Konto.`,
    other: 'Der Vertrag lehnt es ab.',
  },

  codes: {
    DEADLINE_PASSED: 'Es ist abgelaufen.',
    DEADLINE_TOO_SOON: 'Es läuft zu früh ab, um noch eine Transaktion zu bestätigen.',
    DEADLINE_TOO_FAR: 'Es gilt länger, als der Dienst erlaubt.',
    NONCE_MISMATCH: 'Der Maker hat alle früheren Angebote zurückgezogen.',
    QUOTE_CANCELLED: 'Der Maker hat es zurückgezogen.',
    QUOTE_FILLED: 'Jemand hat es angenommen.',
    SERIES_EXPIRED: 'Die Laufzeit ist zu Ende.',
    MARKET_HALTED: 'Vom Betreiber pausiert.',
    SERIES_NOT_FOUND: 'Diese Laufzeit gibt es nicht.',
    POOL_NOT_FOUND: 'Diesen Markt gibt es nicht.',
    CAPACITY_EXCEEDED: 'In dieser Laufzeit ist nicht genug verfügbar.',
    INSUFFICIENT_BALANCE: 'Das Guthaben des Makers reicht dafür nicht.',
    INSUFFICIENT_ALLOWANCE: 'Der Maker hat dafür nicht genug freigegeben.',
    TERMS_MISMATCH: 'Es weicht von Ihrer Anfrage ab.',
    TAKER_MISMATCH: 'Es wurde für ein anderes Konto signiert.',
    MAKER_MISMATCH: 'Es wurde nicht von seinem Maker gesendet.',
    NOTIONAL_ZERO: 'Sein Betrag ist null.',
    NOTIONAL_TOO_SMALL: 'Sein Betrag liegt unter dem Mindestbetrag.',
    NOTIONAL_TOO_LARGE: 'Sein Betrag ist höher als der Rest, der noch festzuschreiben ist.',
    VRT_AMOUNT_TOO_LARGE: 'Es kostet mehr als Ihr Limit.',
    BAD_SIGNATURE: 'Die Signatur stammt nicht vom Maker.',
    NOT_EXECUTABLE: 'Der Vertrag würde es ablehnen.',
    QUOTE_PRIVATE: 'Es gehört dem Kreditnehmer einer anderen Auktion.',
    MAKER_SUSPENDED: 'Der Vertrag des Makers antwortet nicht.',
    MAKER_BANNED: 'Der Betreiber des Dienstes hat den Maker gesperrt.',
    ALREADY_QUOTED: 'Dieser Maker hat bereits geantwortet.',
    INVALID_REQUEST: 'Der Dienst konnte die Anfrage nicht lesen.',
    RFQ_NOT_FOUND: 'Der Dienst kennt diese Auktion nicht.',
    QUOTE_NOT_FOUND: 'Der Dienst kennt dieses Angebot nicht.',
    NOT_FOUND: 'Der Dienst kennt diese Adresse nicht.',
    PROOF_NOT_READY: 'Der Nachweis ist noch nicht bereit. Versuchen Sie es gleich noch einmal.',
    AUCTION_CLOSED: 'Die Auktion ist beendet.',
    OUTCOME_UNKNOWN: 'Der Dienst weiß noch nicht, ob er das gespeichert hat. Versuchen Sie es gleich noch einmal.',
    TAKER_PROOF_INVALID:
      'Der Dienst hat die Bestätigung Ihres Kontos abgelehnt. Fragen Sie ohne sie an oder signieren Sie sie neu.',
    UNAUTHENTICATED: 'Der Dienst erkennt dieses Konto nicht.',
    AUTH_FAILED: 'Der Dienst erkennt dieses Konto nicht.',
    IDEMPOTENCY_KEY_REUSED: 'Eine andere Anfrage nutzte denselben Schlüssel. Versuchen Sie es erneut.',
    TOO_MANY_OPEN: 'Sie haben zu viele laufende Auktionen. Warten Sie, bis eine endet.',
    METHOD_NOT_ALLOWED: 'Der Dienst unterstützt das nicht.',
    UNSUPPORTED_MEDIA_TYPE: 'Der Dienst konnte die Anfrage nicht lesen.',
    PAYLOAD_TOO_LARGE: 'Die Anfrage ist zu groß.',
    RATE_LIMITED: 'Zu viele Anfragen aus Ihrem Netzwerk. Versuchen Sie es in einer Minute erneut.',
    OVERLOADED: 'Der Dienst ist überlastet oder startet neu. Versuchen Sie es gleich noch einmal.',
    CHAIN_UNAVAILABLE:
      'Der Dienst kann die Blockchain nicht lesen und hat daher nichts geprüft. Versuchen Sie es gleich noch einmal.',
    CHAIN_DISAGREES:
      'Die Nodes des Dienstes widersprechen sich, daher wurde nichts geprüft. Versuchen Sie es später erneut.',
    STORAGE_UNAVAILABLE:
      'Der Dienst konnte das nicht speichern, es ist also nichts geschehen. Versuchen Sie es gleich noch einmal.',
    INTERNAL: 'Im Dienst ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
    CONNECTION_FAILED: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    TIMEOUT: 'Der Dienst hat nicht rechtzeitig geantwortet.',
    ABORTED: 'Es wurde abgebrochen.',
    INVALID_RESPONSE: 'Diese Seite versteht die Antwort nicht. Vielleicht ist sie veraltet: Laden Sie sie neu.',
    STREAM_INTERRUPTED: 'Die Verbindung brach ab, bevor die Auktion endete.',
    INVALID_INPUT: 'Diese Seite konnte die Eingabe nicht lesen.',
    WALLET_REJECTED: 'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts gesendet.',
    WALLET_ERROR: 'Ihre Wallet konnte das nicht ausführen.',
    POSITION_NOT_REACHED: 'Ihr Konto hat mehr Positionen, als diese Seite durchsuchen kann.',
    TRANSACTION_REPLACED:
      'Sie haben die Transaktion in Ihrer Wallet abgebrochen oder ersetzt. Stattdessen wurde eine andere gesendet.',
    ACCOUNT_BUSY:
      'Eine andere Anfrage Ihres Kontos läuft noch, vielleicht in einem anderen Tab. Schließen Sie diese zuerst ab.',
    PAGE_FILE_MISSING: 'Eine Datei dieser Seite konnte nicht geladen werden. Vielleicht gibt es eine neuere Version.',
    UNKNOWN: 'Es ist ein unerwarteter Fehler aufgetreten.',
  },
}
