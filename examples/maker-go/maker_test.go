package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec"
)

// A test vector in docs/protocol.md.
type vector struct {
	ChainID                                                                   int64
	Timestamp                                                                 json.Number
	QuoteMarket, PrivateKey, Hash, Digest, Signature, Backer, Audience, Nonce string
	Quote                                                                     map[string]string
}

func readVector(t *testing.T, name string) (given vector) {
	protocol := must(os.ReadFile("../../docs/protocol.md"))
	_, text, isFound := strings.Cut(string(protocol), "<!-- vector: "+name+" -->\n```json\n")
	if !isFound {
		t.Fatalf("docs/protocol.md has no vector %q", name)
	}
	text, _, _ = strings.Cut(text, "```")
	must(0, json.Unmarshal([]byte(text), &given))
	return given
}

func check(t *testing.T, given vector, digest []byte, expected string) {
	key, _ := btcec.PrivKeyFromBytes(btcec.S256(), word(readVector(t, "quote").PrivateKey))
	if hash := fmt.Sprintf("0x%x", digest); hash != expected {
		t.Errorf("digest %s instead of %s", hash, expected)
	}
	if signature := fmt.Sprintf("0x%x", sign(key, digest)); signature != given.Signature {
		t.Errorf("signature %s instead of %s", signature, given.Signature)
	}
}

func TestQuote(t *testing.T) {
	given := readVector(t, "quote")
	check(t, given, typedHash("QuoteMarket", given.ChainID, given.QuoteMarket, quoteType, given.Quote), given.Hash)
}

func TestAuthentication(t *testing.T) {
	given := readVector(t, "backer auth")
	values := map[string]string{
		"backer": given.Backer, "audience": given.Audience, "quoteMarket": given.QuoteMarket,
		"nonce": given.Nonce, "timestamp": given.Timestamp.String(), "purpose": purpose,
	}
	check(t, given, typedHash("Firmquote Backer Auth", given.ChainID, "", authType, values), given.Digest)
}
