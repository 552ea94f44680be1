// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Whether an account has signed a hash. A reference for development; not audited.
library SignedBy {
    /// @dev An ECDSA signature has 65 bytes, v 27 or 28 and a low s. Otherwise ERC-1271, for an account with code; that call
    /// copies 32 bytes of the answer at most, so that a hostile wallet can burn its own gas only.
    function isSignedBy(address account, bytes32 hash, bytes calldata signature) internal view returns (bool) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        if (failure == ECDSA.RecoverError.NoError && signer == account) return true;
        return account.code.length != 0
            && SignatureChecker.isValidERC1271SignatureNowCalldata(account, hash, signature);
    }
}
