// A maker that uses none of Firmquote's packages. Quotes every RFQ in full at 5 % APR. Settings, as environment
// variables: FIRMQUOTE_URL, RPC_URL, QUOTE_MARKET, LOAN_TOKEN, ALLOWANCE, PRIVATE_KEY.
package main

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/btcsuite/btcd/btcec"
	"github.com/gorilla/websocket"
)

const (
	authType  = "BackerAuth(address backer,string audience,address quoteMarket,bytes32 nonce,uint64 timestamp,string purpose)"
	purpose   = "Authenticate backer connection. This is not a quote and moves no funds."
	quoteType = "Quote(address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional,uint256 vrtAmount,uint256 nonce,uint256 deadline,bytes32 salt)"
)

// Rejections after which the service may accept the same quote.
var temporary = map[string]bool{"CHAIN_UNAVAILABLE": true, "CHAIN_DISAGREES": true, "STORAGE_UNAVAILABLE": true, "OVERLOADED": true, "OUTCOME_UNKNOWN": true}

// A message from the service. Absent fields are zero.
type message struct {
	Type, Status, Code, Challenge, QuoteMarket, RfqID, PoolID, SeriesKey, Notional, MinDeadline, Taker, Hash string
	ChainID, Expiry, Seq, StatusSeq                                                                          int64
	OpenRfqs                                                                                                 []message
}

type maker struct {
	url, rpcURL, market, token, address string
	key                                 *btcec.PrivateKey
	chainID                             int64
	quotes                              map[string]object // This session's quote for each RFQ, or nil once the service has decided on it.
	seq                                 int64             // The last status update, or -1. Store it to resume after a restart.
}

func (m *maker) authenticate(given message) object {
	parts := strings.Split(given.Challenge, "|")
	isMeant := len(parts) == 4 && parts[1] == "1" && parts[2] == m.url && given.ChainID == m.chainID
	// Reject challenges that were relayed from, or are meant for, another service.
	if !isMeant || !strings.EqualFold(given.QuoteMarket, m.market) {
		exit(m.url, "sent a challenge for another service or market:", given)
	}
	now := time.Now().Unix()
	values := map[string]string{
		"backer": m.address, "audience": m.url, "quoteMarket": m.market,
		"nonce": "0x" + parts[3], "timestamp": fmt.Sprint(now), "purpose": purpose,
	}
	signature := sign(m.key, typedHash("Firmquote Backer Auth", m.chainID, "", authType, values))
	return object{"type": "auth", "address": m.address, "timestamp": now, "signature": fmt.Sprintf("0x%x", signature)}
}

func (m *maker) quote(rfq message) object {
	salt := make([]byte, 32)
	must(rand.Read(salt))
	if rfq.Taker == "" {
		rfq.Taker = "0x" + strings.Repeat("0", 40)
	}
	vrtAmount := new(big.Int).Mul(number(rfq.Notional), big.NewInt(5*(rfq.Expiry-time.Now().Unix())))
	quote := map[string]string{
		"maker": m.address, "taker": rfq.Taker, "poolId": rfq.PoolID, "seriesKey": rfq.SeriesKey, "notional": rfq.Notional,
		"vrtAmount": vrtAmount.Div(vrtAmount, big.NewInt(100*31_536_000)).String(),
		"nonce":     m.read(m.market, "nonces(address)", m.address).String(),
		"deadline":  new(big.Int).Add(number(rfq.MinDeadline), big.NewInt(60)).String(),
		"salt":      fmt.Sprintf("0x%x", salt),
	}
	quote["signature"] = fmt.Sprintf("0x%x", sign(m.key, typedHash("QuoteMarket", m.chainID, m.market, quoteType, quote)))
	return object{"type": "quote", "rfqId": rfq.RfqID, "quote": quote}
}

// Serves one connection until it ends, and returns why. TCP keep-alive detects a dead connection.
func (m *maker) serve() (reason error) {
	defer func() { reason, _ = recover().(error) }()
	socket, _, err := websocket.DefaultDialer.Dial(m.url, nil)
	must(0, err)
	defer socket.Close()
	var lock sync.Mutex
	send := func(message object) {
		lock.Lock()
		defer lock.Unlock()
		socket.WriteJSON(message)
	}
	for {
		var given message
		must(0, socket.ReadJSON(&given))
		fmt.Println(given.Type, given.Status+given.Code, given.Hash+given.RfqID)
		rfqs, known, sent := given.OpenRfqs, m.quotes, m.quotes[given.RfqID]
		switch {
		case given.Type == "auth_challenge":
			send(m.authenticate(given))
		case given.Type == "authenticated":
			// An RFQ that is not listed has closed, or accepts no other quote from this maker.
			m.quotes = map[string]object{}
			if m.seq < 0 {
				m.seq = given.StatusSeq
			}
			send(object{"type": "resume", "seq": m.seq})
		case given.Type == "rfq":
			rfqs = []message{given}
		case given.Type == "quote_ack" && temporary[given.Code] && sent != nil:
			time.AfterFunc(time.Second, func() { send(sent) })
		case given.Type == "quote_ack" || given.Type == "auction_result":
			m.quotes[given.RfqID] = nil
		case given.Type == "quote_status" && given.Seq == m.seq+1:
			m.seq++ // Hedge fills here.
		case given.Type == "error":
			socket.Close() // Resume on another connection.
		case given.Type == "resumed" && given.Seq != m.seq:
			exit("Status updates after", m.seq, "are missing: read GET /maker/quotes.")
		}
		for _, rfq := range rfqs {
			// Repeat the same quote, because the service may already have accepted it.
			quote, isKnown := known[rfq.RfqID]
			if !isKnown {
				quote = m.quote(rfq)
			}
			m.quotes[rfq.RfqID] = quote
			if quote != nil {
				send(quote)
			}
		}
	}
}

func main() {
	key, _ := btcec.PrivKeyFromBytes(btcec.S256(), word(os.Getenv("PRIVATE_KEY")))
	m := &maker{
		url:    strings.Replace(os.Getenv("FIRMQUOTE_URL"), "http", "ws", 1) + "/ws/rfq",
		rpcURL: os.Getenv("RPC_URL"), market: os.Getenv("QUOTE_MARKET"), token: os.Getenv("LOAN_TOKEN"),
		address: fmt.Sprintf("0x%x", keccak(key.PubKey().SerializeUncompressed()[1:])[12:]), key: key, seq: -1,
	}
	m.chainID = m.readNumber("eth_chainId").Int64()
	m.approve(number(os.Getenv("ALLOWANCE")))
	for {
		reason := m.serve()
		fmt.Println("closed", reason)
		if websocket.IsCloseError(reason, 4400, 4401, 4403, 4423) {
			exit("The service rejected this maker.")
		} else if websocket.IsCloseError(reason, 4429) {
			time.Sleep(time.Minute)
		}
		time.Sleep(time.Duration(must(rand.Int(rand.Reader, big.NewInt(2e9))).Int64()))
	}
}
