package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcec"
	"golang.org/x/crypto/sha3"
)

type object = map[string]any

// Panics on an error. `serve` recovers, and the maker reconnects.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func exit(reason ...any) {
	fmt.Println(reason...)
	os.Exit(1)
}

func keccak(parts ...[]byte) []byte {
	state := sha3.NewLegacyKeccak256()
	state.Write(bytes.Join(parts, nil))
	return state.Sum(nil)
}

func number(text string) *big.Int {
	value, isNumber := new(big.Int).SetString(text, 0)
	if !isNumber {
		panic(fmt.Errorf("%q is not a number", text))
	}
	return value
}

func word(text string) []byte { return number(text).FillBytes(make([]byte, 32)) }

func structHash(kind string, values map[string]string) []byte {
	words := [][]byte{keccak([]byte(kind))}
	for _, field := range strings.Split(kind[strings.Index(kind, "(")+1:len(kind)-1], ",") {
		if kind, name, _ := strings.Cut(field, " "); kind == "string" {
			words = append(words, keccak([]byte(values[name])))
		} else {
			words = append(words, word(values[name]))
		}
	}
	return keccak(words...)
}

// Returns the EIP-712 digest. The domain names a contract only for quotes.
func typedHash(name string, chainID int64, contract, kind string, values map[string]string) []byte {
	domainType := "EIP712Domain(string name,string version,uint256 chainId)"
	if contract != "" {
		domainType = strings.Replace(domainType, ")", ",address verifyingContract)", 1)
	}
	domain := map[string]string{"name": name, "version": "1", "chainId": fmt.Sprint(chainID), "verifyingContract": contract}
	return keccak([]byte("\x19\x01"), structHash(domainType, domain), structHash(kind, values))
}

// Returns r, s and v. s is in the lower half of the curve order.
func sign(key *btcec.PrivateKey, digest []byte) []byte {
	compact := must(btcec.SignCompact(btcec.S256(), key, digest, false))
	return append(compact[1:], compact[0])
}

// Encodes a list of at most 255 bytes with RLP.
func rlp(items ...[]byte) []byte {
	sized := func(start byte, data []byte) []byte {
		if len(data) < 56 {
			return append([]byte{start + byte(len(data))}, data...)
		}
		return append([]byte{start + 56, byte(len(data))}, data...)
	}
	var list []byte
	for _, item := range items {
		if len(item) != 1 || item[0] >= 0x80 {
			item = sized(0x80, item)
		}
		list = append(list, item...)
	}
	return sized(0xc0, list)
}

var client = http.Client{Timeout: 2 * time.Second}

// Calls a method of the node, and decodes its result unless it is null.
func (m *maker) rpc(result any, method string, params ...any) {
	body := must(json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": append([]any{}, params...)}))
	response := must(client.Post(m.rpcURL, "application/json", bytes.NewReader(body)))
	defer response.Body.Close()
	answer := struct{ Result, Error any }{Result: result}
	must(0, json.NewDecoder(response.Body).Decode(&answer))
	if answer.Error != nil {
		panic(fmt.Errorf("%s: %v", method, answer.Error))
	}
}

func (m *maker) readNumber(method string, params ...any) *big.Int {
	var text string
	m.rpc(&text, method, params...)
	return number(text)
}

func (m *maker) read(to, function string, addresses ...string) *big.Int {
	return m.readNumber("eth_call", object{"to": to, "data": calldata(function, addresses...)}, "latest")
}

func calldata(function string, arguments ...string) string {
	data := keccak([]byte(function))[:4]
	for _, argument := range arguments {
		data = append(data, word(argument)...)
	}
	return fmt.Sprintf("0x%x", data)
}

// Lets the quote market spend loan tokens. The allowance caps the maker's total exposure.
func (m *maker) approve(amount *big.Int) {
	if m.read(m.token, "allowance(address,address)", m.address, m.market).Cmp(amount) >= 0 {
		return
	}
	data := calldata("approve(address,uint256)", m.market, amount.String())
	count := m.readNumber("eth_getTransactionCount", m.address, "pending")
	price := m.readNumber("eth_gasPrice")
	gas := m.readNumber("eth_estimateGas", object{"from": m.address, "to": m.token, "data": data})
	fields := [][]byte{count.Bytes(), price.Lsh(price, 1).Bytes(), gas.Bytes(), number(m.token).FillBytes(make([]byte, 20)), nil, number(data).Bytes()}
	chainID := big.NewInt(m.chainID)
	signature := sign(m.key, keccak(rlp(append(fields, chainID.Bytes(), nil, nil)...)))
	v := big.NewInt(2*m.chainID + 8 + int64(signature[64]))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:64])
	var hash string
	m.rpc(&hash, "eth_sendRawTransaction", fmt.Sprintf("0x%x", rlp(append(fields, v.Bytes(), r.Bytes(), s.Bytes())...)))
	var receipt struct{ Status string }
	for m.rpc(&receipt, "eth_getTransactionReceipt", hash); receipt.Status == ""; m.rpc(&receipt, "eth_getTransactionReceipt", hash) {
		time.Sleep(time.Second)
	}
	if receipt.Status != "0x1" {
		panic(fmt.Errorf("%s reverted", hash))
	}
	fmt.Println("approved", amount)
}
