// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

contract Coin is ERC20("Coin", "C") {
    /// To many at once: 20 bytes each.
    function drop(bytes calldata wallets) external {
        for (uint256 i = 0; i < wallets.length; i += 20) _mint(address(bytes20(wallets[i:i + 20])), 1e18 + i);
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

contract Card is ERC721("Card", "C") {
    uint256 private next;

    /// To many at once: 20 bytes each.
    function drop(bytes calldata wallets) external {
        for (uint256 i = 0; i < wallets.length; i += 20) _mint(address(bytes20(wallets[i:i + 20])), ++next);
    }

    function mint(address to, uint256 count) external {
        for (uint256 i = 0; i < count; i++) _mint(to, ++next);
    }
}

contract Item is ERC1155("") {
    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }
}

/// Uses all its gas.
contract WildToken {
    function balanceOf(address) external pure returns (uint256) {
        while (true) {}
        return 1;
    }
}
