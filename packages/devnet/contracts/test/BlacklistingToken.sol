// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "../mocks/TestToken.sol";

/// @title A token that rejects transfers from or to accounts on a list, which anyone can change. For tests.
contract BlacklistingToken is TestToken {
    error Blacklisted(address account);

    mapping(address account => bool) public isBlacklisted;

    constructor() TestToken("Blacklisting", "BLACK", 6) {}

    function setBlacklisted(address account, bool blacklisted) external {
        isBlacklisted[account] = blacklisted;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (isBlacklisted[from]) revert Blacklisted(from);
        if (isBlacklisted[to]) revert Blacklisted(to);
        super._update(from, to, amount);
    }
}
