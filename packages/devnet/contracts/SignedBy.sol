// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Checks whether an account has signed a hash. A reference for development; not audited.
library SignedBy {
    /// @dev Accepts ECDSA signatures with 65 bytes, v of 27 or 28, and a low s. Otherwise uses ERC-1271 if the account has code.
    /// That call copies at most 32 bytes of return data, so that a hostile wallet can burn only the gas forwarded to it.
    function isSignedBy(address account, bytes32 hash, bytes calldata signature) internal view returns (bool) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        if (failure == ECDSA.RecoverError.NoError && signer == account) return true;
        return account.code.length != 0
            && SignatureChecker.isValidERC1271SignatureNowCalldata(account, hash, signature);
    }
}
